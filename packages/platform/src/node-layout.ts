/** Where everything of a node lives on one machine. KubeEdge's convention, below a root of the operator's choice. */
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
  /** keadm's own memory: it outlives the node it looks after. */
  readonly bookkeepingFolder: string;
  readonly journalFolder: string;
  /** Releases on their way in; what a broken download left is taken up again. */
  readonly downloadsFolder: string;
  /** The copy of keadm that brings a node back if the one that changes it dies. */
  readonly guardExecutable: string;
  readonly lockFolder: string;
  /** Where our own supervisor keeps its services on a machine that has no service manager. */
  readonly supervisorFolder: string;
}
