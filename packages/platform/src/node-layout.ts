/** Where everything of a node is on one machine. KubeEdge's convention, below a root of the operator's choice. */
export interface NodeLayout {
  /** `/etc/kubeedge`, `C:\etc\kubeedge`. */
  readonly configFolder: string;
  /** The agent's configuration: `edgecore.yaml` below the former. */
  readonly agentConfigFile: string;
  /** Where a join token waits for the agent to use it. */
  readonly tokenFile: string;
  /** Says which version is installed. */
  readonly versionFile: string;
  /** What earlier versions left behind for a way back, a folder each. */
  readonly backupsFolder: string;
  /** `/var/lib/kubeedge`, `C:\var\lib\kubeedge`. */
  readonly stateFolder: string;
  /** The agent's own log. */
  readonly agentLogFile: string;
  /** The folder that holds the agent's and the cloud's programs. */
  readonly programFolder: string;
  /** The agent's program. */
  readonly agentExecutable: string;
  /** cloudcore's program, on a machine that is the cloud. */
  readonly cloudExecutable: string;
  /** What the embedded Kubernetes API keeps. */
  readonly cloudFolder: string;
  /** keadm's own memory: it outlives the node it manages. */
  readonly bookkeepingFolder: string;
  readonly journalFolder: string;
  /** Releases on their way in; what a broken download left is resumed again. */
  readonly downloadsFolder: string;
  /** The copy of keadm that brings a node back if the one that changes it dies. */
  readonly guardExecutable: string;
  readonly lockFolder: string;
  /** Where our own supervisor keeps its services on a machine that has no service manager. */
  readonly supervisorFolder: string;
}

/**
 * Where everything of a plain Kubernetes worker is on one machine. kubeadm's convention, so that its habits and other
 * tools go on working; on Windows all of it is on one drive, the system's.
 */
export interface WorkerLayout {
  /** `/usr/local/bin`, `C:\k`. */
  readonly programFolder: string;
  readonly kubelet: string;
  readonly kubeProxy: string;
  readonly kubeadm: string;
  /** The copy of this program that the kubelet's service starts: it reads the arguments again and starts the kubelet. */
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
  /** `kubeadm-flags.env`, by any writer. */
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
