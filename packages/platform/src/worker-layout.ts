/**
 * Where everything of a plain Kubernetes worker lives on one machine. kubeadm's convention, so that its habits and other
 * tools go on working; on Windows all of it is on one drive, the system's.
 */
export interface WorkerLayout {
  /** `/usr/local/bin`, `C:\k`. */
  readonly programFolder: string;
  readonly kubelet: string;
  readonly kubeProxy: string;
  readonly kubeadm: string;
  /** The copy of this program that the kubelet's service starts: it reads the arguments anew and starts the kubelet. */
  readonly hostExecutable: string;
  /** `/etc/kubernetes`, `C:\etc\kubernetes`. */
  readonly configFolder: string;
  readonly pkiFolder: string;
  /** The cluster's CA. */
  readonly caFile: string;
  readonly manifestsFolder: string;
  /** Who the kubelet is: `kubelet.conf`. */
  readonly kubeconfig: string;
  /** What the kubelet gets its first certificate with; gone once it has one. */
  readonly bootstrapKubeconfig: string;
  /** `/var/lib/kubelet`, `C:\var\lib\kubelet`. */
  readonly kubeletFolder: string;
  /** The kubelet's configuration: `config.yaml`. */
  readonly kubeletConfig: string;
  /** What is true of this machine alone: `instance-config.yaml`. */
  readonly instanceConfig: string;
  /** `kubeadm-flags.env`, whoever writes it. */
  readonly flagsFile: string;
  /** The kubelet's certificates and keys. */
  readonly certificatesFolder: string;
  /** The kubelet's log, where the service manager does not keep it. */
  readonly logFile: string;
  /** Where network plugins are configured, and where they live. */
  readonly cniConfigFolder: string;
  readonly cniProgramFolder: string;
  /** What keadm remembers of the worker: what it made, and for which cluster. */
  readonly recordFile: string;
  /** What earlier versions left behind for a way back, a folder each. */
  readonly backupsFolder: string;
}
