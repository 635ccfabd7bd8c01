/** What a keadm command does to the node of the machine it runs on. Each command declares it beside its options. */
export interface CommandEffect {
  /** The node that it is about: that of the node agent, or a worker of plain Kubernetes. */
  readonly node: 'edge' | 'worker';
  /** Whether a dry run on the machine shows what it would change, because the survey does not. */
  readonly previewed: boolean;
  /** Whether it needs an administrator's rights, unless the node is below a folder. */
  readonly needsElevation: boolean;
  /** Whether an agent or a kubelet runs after it, so that the status of the node shows whether it succeeded. */
  readonly leavesAgent: boolean;
  readonly undo: UndoMethod;
  /** What it makes of the node; `undefined` for a command that does not change it, or that is not judged beforehand. */
  readonly goal?: NodeGoal;
  /** The words that make it ask no question, for a run in which no one can answer. */
  readonly unattended?: readonly string[];
  /** The folder below which the command has its node. */
  readonly root: string | undefined;
}

/**
 * How to undo a command: `reset` removes a node that was not there before, `rollback` returns to the version before,
 * `configuration` applies the configuration from before; a node whose undo is `rejoin` has to join again by hand.
 */
type UndoMethod = 'reset' | 'rollback' | 'configuration' | 'rejoin' | 'none';

/** What a command makes of a node. */
export type NodeGoal =
  | ({ readonly kind: 'joined' } & VersionGoal & CloudGoal)
  | ({ readonly kind: 'upgraded' } & VersionGoal)
  | { readonly kind: 'configured' }
  | { readonly kind: 'removed' };

/** Which version the node is to have. */
export interface VersionGoal {
  /** The version that the command line names. */
  readonly version: string | undefined;
  /** Whether the agent comes from somewhere else than from the program that runs the command. */
  readonly otherSource: boolean;
}

/** As which node a machine is to join which cloud, as far as the command line says. */
export interface CloudGoal {
  readonly nodeName: string | undefined;
  readonly cloud: string | undefined;
  readonly hubPort: string | undefined;
}
