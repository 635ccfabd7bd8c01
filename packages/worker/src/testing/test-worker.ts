import type { HostFacts, LinuxWorkerFacts, NodeLayout, WindowsWorkerFacts, WorkerLayout } from '@fenestra/platform';

/** The layout of a Linux worker, for plans that no one carries out. */
export const testWorkerLayout: WorkerLayout = {
  programFolder: '/usr/local/bin',
  kubelet: '/usr/local/bin/kubelet',
  kubeProxy: '/usr/local/bin/kube-proxy',
  kubeadm: '/usr/local/bin/kubeadm',
  hostExecutable: '/var/lib/fenestra/worker/keadm',
  configFolder: '/etc/kubernetes',
  pkiFolder: '/etc/kubernetes/pki',
  caFile: '/etc/kubernetes/pki/ca.crt',
  manifestsFolder: '/etc/kubernetes/manifests',
  kubeconfig: '/etc/kubernetes/kubelet.conf',
  bootstrapKubeconfig: '/etc/kubernetes/bootstrap-kubelet.conf',
  kubeletFolder: '/var/lib/kubelet',
  kubeletConfig: '/var/lib/kubelet/config.yaml',
  instanceConfig: '/var/lib/kubelet/instance-config.yaml',
  flagsFile: '/var/lib/kubelet/kubeadm-flags.env',
  certificatesFolder: '/var/lib/kubelet/pki',
  logFile: '/var/log/kubelet/kubelet.log',
  cniConfigFolder: '/etc/cni/net.d',
  cniProgramFolder: '/opt/cni/bin',
  recordFile: '/var/lib/fenestra/worker/worker.json',
  backupsFolder: '/var/lib/fenestra/worker/backups',
};

/** The part of keadm's own layout that a worker's plans use. */
export const testNodeLayout: Pick<NodeLayout, 'downloadsFolder' | 'guardExecutable'> = {
  downloadsFolder: '/var/lib/fenestra/downloads',
  guardExecutable: '/var/lib/fenestra/guard/keadm',
};

/** A Linux machine that can be a worker. */
export const testHost: HostFacts = {
  os: 'linux',
  osName: 'Debian GNU/Linux 12 (bookworm)',
  osVersion: '12',
  build: '6.1.0',
  edition: 'debian',
  arch: 'x64',
  hostName: 'worker-1',
  totalMemoryBytes: 4 * 1024 ** 3,
  freeMemoryBytes: 2 * 1024 ** 3,
  bootId: 'boot',
  elevated: true,
  serviceManager: 'systemd',
  runtimes: [],
  clock: { now: new Date('2026-06-01T00:00:00Z'), synchronized: true },
};

/** What only a kubelet wants to know of it. */
export const testLinuxFacts: LinuxWorkerFacts = {
  os: 'linux',
  swap: [],
  missingPrograms: [],
  forwarding: true,
  cgroups: 'v2',
  cgroupControllers: ['cpu', 'memory', 'pids'],
  allowsLowerOomScores: true,
};

/** The same of a Windows machine. */
export const testWindowsFacts: WindowsWorkerFacts = {
  os: 'windows',
  systemDrive: 'C:',
  build: 20_348,
  containersFeature: true,
  networkService: 'running',
  containerdService: 'running',
  programDrive: 'C:',
};
