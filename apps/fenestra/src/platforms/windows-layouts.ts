import { win32 } from 'node:path';
import type { NodeLayout, WorkerLayout } from '@fenestra/platform';

/** Where KubeEdge puts things on Windows. */
export function windowsLayout(root: string): NodeLayout {
  const configFolder = win32.join(root, 'etc', 'kubeedge');
  const programFolder = win32.join(configFolder, 'bin');
  const stateFolder = win32.join(root, 'var', 'lib', 'kubeedge');
  const bookkeepingFolder = win32.join(root, 'var', 'lib', 'fenestra');
  return {
    configFolder,
    agentConfigFile: win32.join(configFolder, 'config', 'edgecore.yaml'),
    tokenFile: win32.join(configFolder, 'bootstrap-edgecore.conf'),
    versionFile: win32.join(configFolder, 'version.txt'),
    backupsFolder: win32.join(configFolder, 'backups'),
    stateFolder,
    agentLogFile: win32.join(stateFolder, 'log', 'edgecore.log'),
    programFolder,
    agentExecutable: win32.join(programFolder, 'edgecore.exe'),
    cloudExecutable: win32.join(programFolder, 'cloudcore.exe'),
    cloudFolder: win32.join(stateFolder, 'cloud'),
    bookkeepingFolder,
    journalFolder: win32.join(bookkeepingFolder, 'journal'),
    downloadsFolder: win32.join(bookkeepingFolder, 'downloads'),
    guardExecutable: win32.join(bookkeepingFolder, 'guard', 'keadm.exe'),
    lockFolder: win32.join(bookkeepingFolder, 'lock'),
    supervisorFolder: win32.join(bookkeepingFolder, 'supervisor'),
  };
}

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
