/** Where a worker's files are on a system, as everybody who knows kubeadm expects them. */
export interface WorkerPaths {
  readonly kubelet: string;
  readonly configFolder: string;
  readonly kubeconfig: string;
  readonly bootstrapKubeconfig: string;
  readonly caFile: string;
  readonly kubeletFolder: string;
  readonly kubeletConfig: string;
  readonly flagsFile: string;
  readonly clientCertificate: string;
}

/** On Linux. */
export const LINUX_PATHS: WorkerPaths = {
  kubelet: '/usr/local/bin/kubelet',
  configFolder: '/etc/kubernetes',
  kubeconfig: '/etc/kubernetes/kubelet.conf',
  bootstrapKubeconfig: '/etc/kubernetes/bootstrap-kubelet.conf',
  caFile: '/etc/kubernetes/pki/ca.crt',
  kubeletFolder: '/var/lib/kubelet',
  kubeletConfig: '/var/lib/kubelet/config.yaml',
  flagsFile: '/var/lib/kubelet/kubeadm-flags.env',
  clientCertificate: '/var/lib/kubelet/pki/kubelet-client-current.pem',
};

/** On Windows: the same on the system's drive, but for the programs. */
export const WINDOWS_PATHS: WorkerPaths = {
  kubelet: 'C:\\k\\kubelet.exe',
  configFolder: 'C:\\etc\\kubernetes',
  kubeconfig: 'C:\\etc\\kubernetes\\kubelet.conf',
  bootstrapKubeconfig: 'C:\\etc\\kubernetes\\bootstrap-kubelet.conf',
  caFile: 'C:\\etc\\kubernetes\\pki\\ca.crt',
  kubeletFolder: 'C:\\var\\lib\\kubelet',
  kubeletConfig: 'C:\\var\\lib\\kubelet\\config.yaml',
  flagsFile: 'C:\\var\\lib\\kubelet\\kubeadm-flags.env',
  clientCertificate: 'C:\\var\\lib\\kubelet\\pki\\kubelet-client-current.pem',
};
