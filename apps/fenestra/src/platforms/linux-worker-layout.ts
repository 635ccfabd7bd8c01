import { join } from 'node:path';
import type { WorkerLayout } from '@fenestra/platform';

/** Where kubeadm and its packages put things on Linux, and what is ours below a folder of our own. */
export function linuxWorkerLayout(root: string): WorkerLayout {
  const programFolder = join(root, 'usr/local/bin');
  const configFolder = join(root, 'etc/kubernetes');
  const kubeletFolder = join(root, 'var/lib/kubelet');
  const ownFolder = join(root, 'var/lib/fenestra/worker');
  return {
    programFolder,
    kubelet: join(programFolder, 'kubelet'),
    kubeProxy: join(programFolder, 'kube-proxy'),
    kubeadm: join(programFolder, 'kubeadm'),
    hostExecutable: join(ownFolder, 'keadm'),
    configFolder,
    pkiFolder: join(configFolder, 'pki'),
    caFile: join(configFolder, 'pki/ca.crt'),
    manifestsFolder: join(configFolder, 'manifests'),
    kubeconfig: join(configFolder, 'kubelet.conf'),
    bootstrapKubeconfig: join(configFolder, 'bootstrap-kubelet.conf'),
    kubeletFolder,
    kubeletConfig: join(kubeletFolder, 'config.yaml'),
    instanceConfig: join(kubeletFolder, 'instance-config.yaml'),
    flagsFile: join(kubeletFolder, 'kubeadm-flags.env'),
    certificatesFolder: join(kubeletFolder, 'pki'),
    logFile: join(root, 'var/log/kubelet/kubelet.log'),
    cniConfigFolder: join(root, 'etc/cni/net.d'),
    cniProgramFolder: join(root, 'opt/cni/bin'),
    recordFile: join(ownFolder, 'worker.json'),
    backupsFolder: join(ownFolder, 'backups'),
  };
}
