/** In which order, and within which limits, a run changes its nodes. */
export interface RunPolicy {
  readonly budgets: Budgets;
  /** In order; the last one takes all remaining nodes. Never empty. */
  readonly waves: readonly Wave[];
  readonly halt: HaltRule;
  /** What happens to the changed nodes of a wave that a rule halts. */
  readonly onHalt: 'hold' | 'roll-back';
  /** Whether a node that cannot be surveyed prevents the run from starting. */
  readonly unreachable: 'go-on' | 'stop';
}

/** How much may happen at the same time. */
export interface Budgets {
  readonly connections: number;
  readonly bytesInFlight: number;
  readonly disrupted: number;
  /** The same for the nodes of one group. */
  readonly disruptedPerGroup: Readonly<Record<string, number>>;
}

/** Some of the nodes, which are changed together. */
export interface Wave {
  readonly name: string;
  /** A number or percentage of the nodes that need a change and have these labels. */
  readonly size: { readonly nodes: number } | { readonly percent: number };
  readonly labels: Readonly<Record<string, string>>;
  /** How long the wave's nodes have to stay healthy before the next one begins. */
  readonly soakSeconds: number;
}

/** The failures beyond which a run halts. Unreachable nodes do not count. */
export interface HaltRule {
  /** Percentage of a wave's nodes that may fail, 0 to 100. */
  readonly failedPercent: number;
  /** This many nodes of a wave may fail whatever percentage they are. */
  readonly harmlessNodes: number;
  readonly failedNodes: number;
}
