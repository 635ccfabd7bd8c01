import { win32 } from 'node:path';
import type { WorkerLayout } from '@fenestra/platform';

/** Where kubeadm and its scripts put things on Windows: all on one drive, whichever the current one is. */
export function windowsWorkerLayout(drive: string): WorkerLayout {
  const below = (...names: readonly string[]): string => win32.join(`${drive}\\`, ...names);
  const programFolder = below('k');
  const configFolder = below('etc', 'kubernetes');
  const kubeletFolder = below('var', 'lib', 'kubelet');
  const ownFolder = below('var', 'lib', 'fenestra', 'worker');
  return {
    programFolder,
    kubelet: win32.join(programFolder, 'kubelet.exe'),
    kubeProxy: win32.join(programFolder, 'kube-proxy.exe'),
    kubeadm: win32.join(programFolder, 'kubeadm.exe'),
    hostExecutable: win32.join(ownFolder, 'keadm.exe'),
    configFolder,
    pkiFolder: win32.join(configFolder, 'pki'),
    caFile: win32.join(configFolder, 'pki', 'ca.crt'),
    manifestsFolder: win32.join(configFolder, 'manifests'),
    kubeconfig: win32.join(configFolder, 'kubelet.conf'),
    bootstrapKubeconfig: win32.join(configFolder, 'bootstrap-kubelet.conf'),
    kubeletFolder,
    kubeletConfig: win32.join(kubeletFolder, 'config.yaml'),
    instanceConfig: win32.join(kubeletFolder, 'instance-config.yaml'),
    flagsFile: win32.join(kubeletFolder, 'kubeadm-flags.env'),
    certificatesFolder: win32.join(kubeletFolder, 'pki'),
    logFile: below('var', 'log', 'kubelet', 'kubelet.log'),
    cniConfigFolder: below('etc', 'cni', 'net.d'),
    cniProgramFolder: below('opt', 'cni', 'bin'),
    recordFile: win32.join(ownFolder, 'worker.json'),
    backupsFolder: win32.join(ownFolder, 'backups'),
  };
}
