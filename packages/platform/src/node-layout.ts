/** Where everything of a node lives on one machine. KubeEdge's convention, below a root of the operator's choice. */
export interface NodeLayout {
  /** `/etc/kubeedge`, `C:\etc\kubeedge`. */
  readonly configFolder: string;
  /** `/var/lib/kubeedge`, `C:\var\lib\kubeedge`. */
  readonly stateFolder: string;
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
  readonly lockFolder: string;
  /** Where our own supervisor keeps its services on a machine that has no service manager. */
  readonly supervisorFolder: string;
}
