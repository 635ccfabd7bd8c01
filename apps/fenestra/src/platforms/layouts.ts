import { posix, win32 } from 'node:path';
import type { NodeLayout, WorkerLayout } from '@fenestra/platform';

/** How a system joins the parts of a path, and what the names of its programs end with. */
interface Naming {
  readonly join: (...parts: readonly string[]) => string;
  readonly ending: '' | '.exe';
}

const LINUX: Naming = { join: (...parts) => posix.join(...parts), ending: '' };
const WINDOWS: Naming = { join: (...parts) => win32.join(...parts), ending: '.exe' };

/** Where KubeEdge puts things on Linux. */
export function linuxLayout(root: string): NodeLayout {
  return nodeLayout(LINUX, root, posix.join(root, 'usr', 'local', 'bin'));
}

/** Where KubeEdge puts things on Windows. */
export function windowsLayout(root: string): NodeLayout {
  return nodeLayout(WINDOWS, root, win32.join(root, 'etc', 'kubeedge', 'bin'));
}

/** Where kubeadm and its packages put things on Linux, and what is ours in a separate folder. */
export function linuxWorkerLayout(root: string): WorkerLayout {
  return workerLayout(LINUX, root, posix.join(root, 'usr', 'local', 'bin'));
}

/** Where kubeadm and its scripts put things on Windows: all on one drive, whichever the current one is. */
export function windowsWorkerLayout(drive: string): WorkerLayout {
  return workerLayout(WINDOWS, `${drive}\\`, win32.join(`${drive}\\`, 'k'));
}

function nodeLayout({ join, ending }: Naming, root: string, programFolder: string): NodeLayout {
  const configFolder = join(root, 'etc', 'kubeedge');
  const stateFolder = join(root, 'var', 'lib', 'kubeedge');
  const bookkeepingFolder = join(root, 'var', 'lib', 'fenestra');
  return {
    configFolder,
    agentConfigFile: join(configFolder, 'config', 'edgecore.yaml'),
    tokenFile: join(configFolder, 'bootstrap-edgecore.conf'),
    versionFile: join(configFolder, 'version.txt'),
    backupsFolder: join(configFolder, 'backups'),
    stateFolder,
    agentLogFile: join(stateFolder, 'log', 'edgecore.log'),
    programFolder,
    agentExecutable: join(programFolder, `edgecore${ending}`),
    cloudExecutable: join(programFolder, `cloudcore${ending}`),
    cloudFolder: join(stateFolder, 'cloud'),
    bookkeepingFolder,
    journalFolder: join(bookkeepingFolder, 'journal'),
    downloadsFolder: join(bookkeepingFolder, 'downloads'),
    guardExecutable: join(bookkeepingFolder, 'guard', `keadm${ending}`),
    lockFolder: join(bookkeepingFolder, 'lock'),
    supervisorFolder: join(bookkeepingFolder, 'supervisor'),
  };
}

function workerLayout({ join, ending }: Naming, root: string, programFolder: string): WorkerLayout {
  const configFolder = join(root, 'etc', 'kubernetes');
  const kubeletFolder = join(root, 'var', 'lib', 'kubelet');
  const ownFolder = join(root, 'var', 'lib', 'fenestra', 'worker');
  return {
    programFolder,
    kubelet: join(programFolder, `kubelet${ending}`),
    kubeProxy: join(programFolder, `kube-proxy${ending}`),
    kubeadm: join(programFolder, `kubeadm${ending}`),
    hostExecutable: join(ownFolder, `keadm${ending}`),
    configFolder,
    pkiFolder: join(configFolder, 'pki'),
    caFile: join(configFolder, 'pki', 'ca.crt'),
    manifestsFolder: join(configFolder, 'manifests'),
    kubeconfig: join(configFolder, 'kubelet.conf'),
    bootstrapKubeconfig: join(configFolder, 'bootstrap-kubelet.conf'),
    kubeletFolder,
    kubeletConfig: join(kubeletFolder, 'config.yaml'),
    instanceConfig: join(kubeletFolder, 'instance-config.yaml'),
    flagsFile: join(kubeletFolder, 'kubeadm-flags.env'),
    certificatesFolder: join(kubeletFolder, 'pki'),
    logFile: join(root, 'var', 'log', 'kubelet', 'kubelet.log'),
    cniConfigFolder: join(root, 'etc', 'cni', 'net.d'),
    cniProgramFolder: join(root, 'opt', 'cni', 'bin'),
    recordFile: join(ownFolder, 'worker.json'),
    backupsFolder: join(ownFolder, 'backups'),
  };
}
