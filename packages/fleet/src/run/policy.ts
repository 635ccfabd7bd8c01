/** How a run goes through its nodes. */
export interface RunPolicy {
  readonly budgets: Budgets;
  /** In order; the last one takes all the nodes that are left. Never empty. */
  readonly waves: readonly Wave[];
  readonly halt: HaltRule;
  /** What becomes of the nodes of the wave that a halt has caught, those that had been changed already. */
  readonly onHalt: 'hold' | 'roll-back';
  /** Whether a node that cannot be reached or looked at when the run begins keeps all the others from beginning. */
  readonly unreachable: 'go-on' | 'stop';
}

/** How much may go on at the same time. */
export interface Budgets {
  readonly connections: number;
  /** Bytes that are on their way to the nodes. */
  readonly bytesInFlight: number;
  /** Nodes that are being changed. */
  readonly disrupted: number;
  /** The same for the nodes of one group. */
  readonly disruptedPerGroup: Readonly<Record<string, number>>;
}

/** Some of the nodes, which go together. */
export interface Wave {
  readonly name: string;
  /** Of the nodes that have to be changed: so many, or this share; only of those with these labels, if some are named. */
  readonly size: { readonly nodes: number } | { readonly percent: number };
  readonly labels: Readonly<Record<string, string>>;
  /** How long the wave's nodes have to stay healthy before the next one begins. */
  readonly soakSeconds: number;
}

/** When too much has gone wrong: what is more than this. Nodes that could not be reached do not count. */
export interface HaltRule {
  /** Share of a wave's nodes, 0 to 100: 0 lets none fail, 100 all. */
  readonly failedPercent: number;
  /** So many nodes of a wave may fail whatever share of it they are. */
  readonly harmlessNodes: number;
  /** A whole number of nodes over the whole run: 0 lets none fail. */
  readonly failedNodes: number;
}
