import { readImageConfig } from '../image/config.ts';
import type { NodeLayout, WorkerLayout } from '@fenestra/platform';
import { freshFacts } from '../provision/fresh-facts.ts';
import type { ProvisionFacts } from '../provision/provision-facts.ts';

const DIGEST = 'a'.repeat(64);

/** What describes the image of an edge node. */
export const EDGE_IMAGE = `apiVersion: fenestra.dev/v1
kind: ImageConfig
system: 2022
platform: azure
role: edge
containerd:
  version: 2.1.4
  url: https://mirror.example/containerd.tar.gz
  sha256: ${DIGEST}
cloudbaseInit:
  version: 1.1.6
  url: https://mirror.example/setup.msi
  sha256: ${DIGEST}
`;

/** The same of a worker. */
export const WORKER_IMAGE = `${EDGE_IMAGE.replace('role: edge', 'role: worker')}kubernetes:
  version: v1.33.1
  kubelet:
    url: https://mirror.example/kubelet.exe
    sha256: ${DIGEST}
`;

/** The facts of a Windows machine that has nothing of the image yet. */
export function testFacts(text: string): ProvisionFacts {
  return freshFacts({
    config: readImageConfig(text, 'image.yaml'),
    node: NODE,
    worker: TEST_WORKER,
    maker: { version: '1.2.3', commit: 'abc', now: new Date(0) },
    executable: 'keadm.exe',
  });
}

const NODE: NodeLayout = {
  configFolder: 'C:\\etc\\kubeedge',
  agentConfigFile: 'C:\\etc\\kubeedge\\config\\edgecore.yaml',
  tokenFile: 'C:\\etc\\kubeedge\\bootstrap-edgecore.conf',
  versionFile: 'C:\\etc\\kubeedge\\version.txt',
  backupsFolder: 'C:\\etc\\kubeedge\\backups',
  stateFolder: 'C:\\var\\lib\\kubeedge',
  agentLogFile: 'C:\\var\\lib\\kubeedge\\log\\edgecore.log',
  programFolder: 'C:\\etc\\kubeedge\\bin',
  agentExecutable: 'C:\\etc\\kubeedge\\bin\\edgecore.exe',
  cloudExecutable: 'C:\\etc\\kubeedge\\bin\\cloudcore.exe',
  cloudFolder: 'C:\\var\\lib\\kubeedge\\cloud',
  bookkeepingFolder: 'C:\\var\\lib\\fenestra',
  journalFolder: 'C:\\var\\lib\\fenestra\\journal',
  downloadsFolder: 'C:\\var\\lib\\fenestra\\downloads',
  guardExecutable: 'C:\\var\\lib\\fenestra\\guard\\keadm.exe',
  lockFolder: 'C:\\var\\lib\\fenestra\\lock',
  supervisorFolder: 'C:\\var\\lib\\fenestra\\supervisor',
};

/** Where a worker is on Windows. */
export const TEST_WORKER: WorkerLayout = {
  programFolder: 'C:\\k',
  kubelet: 'C:\\k\\kubelet.exe',
  kubeProxy: 'C:\\k\\kube-proxy.exe',
  kubeadm: 'C:\\k\\kubeadm.exe',
  hostExecutable: 'C:\\var\\lib\\fenestra\\worker\\keadm.exe',
  configFolder: 'C:\\etc\\kubernetes',
  pkiFolder: 'C:\\etc\\kubernetes\\pki',
  caFile: 'C:\\etc\\kubernetes\\pki\\ca.crt',
  manifestsFolder: 'C:\\etc\\kubernetes\\manifests',
  kubeconfig: 'C:\\etc\\kubernetes\\kubelet.conf',
  bootstrapKubeconfig: 'C:\\etc\\kubernetes\\bootstrap-kubelet.conf',
  kubeletFolder: 'C:\\var\\lib\\kubelet',
  kubeletConfig: 'C:\\var\\lib\\kubelet\\config.yaml',
  instanceConfig: 'C:\\var\\lib\\kubelet\\instance-config.yaml',
  flagsFile: 'C:\\var\\lib\\kubelet\\kubeadm-flags.env',
  certificatesFolder: 'C:\\var\\lib\\kubelet\\pki',
  logFile: 'C:\\var\\log\\kubelet\\kubelet.log',
  cniConfigFolder: 'C:\\etc\\cni\\net.d',
  cniProgramFolder: 'C:\\opt\\cni\\bin',
  recordFile: 'C:\\var\\lib\\fenestra\\worker\\worker.json',
  backupsFolder: 'C:\\var\\lib\\fenestra\\worker\\backups',
};
