import type { BatchFailure, BatchNodeState } from './events.ts';
import type { NodeAccount } from './node-account.ts';

type Standing = 'well' | 'wrong' | 'active' | 'untouched';

/** What states mean, in the order in which people want to read of them. */
const STANDINGS: Readonly<Record<BatchNodeState, Standing>> = {
  done: 'well',
  unchanged: 'well',
  failed: 'wrong',
  unreachable: 'wrong',
  'rolled-back': 'wrong',
  held: 'untouched',
  'rolling-back': 'active',
  retrying: 'active',
  proving: 'active',
  executing: 'active',
  delivering: 'active',
  surveying: 'active',
  waiting: 'untouched',
};

/** What this state means for the node. */
export function standingOf(state: BatchNodeState): Standing {
  return STANDINGS[state];
}

/** Whether nothing more happens to a node in this state. */
export function isSettled(state: BatchNodeState): boolean {
  return state === 'held' || standingOf(state) === 'well' || standingOf(state) === 'wrong';
}

/** How many nodes are in each state, in the order for people; states without nodes are left out. */
export function countStates(nodes: Iterable<{ readonly state: BatchNodeState }>): ReadonlyMap<BatchNodeState, number> {
  const order = Object.keys(STANDINGS);
  const groups = [...Map.groupBy(nodes, ({ state }) => state)];
  const sorted = groups.toSorted(([one], [other]) => order.indexOf(one) - order.indexOf(other));
  return new Map(sorted.map(([state, members]) => [state, members.length]));
}

/** Nodes that failed for the same reason. */
export interface FailureGroup {
  readonly code: string;
  /** One of the messages; they differ by names and addresses at most. */
  readonly failure: BatchFailure;
  readonly nodes: readonly NodeAccount[];
}

const NOT_TOLD: BatchFailure = { code: 'UNKNOWN', message: 'No reason was given', hint: "See the node's log." };

/** The nodes that went wrong by their reasons, the reason that most nodes have first. */
export function failureGroups(nodes: Iterable<NodeAccount>): readonly FailureGroup[] {
  const wrong = [...nodes].filter(({ state, failure }) => standingOf(state) === 'wrong' && !isWithWave(state, failure));
  const groups = Map.groupBy(wrong, ({ failure, name }) => reasonKey(failure ?? NOT_TOLD, name));
  return [...groups.values()].map(toGroup).toSorted((one, other) => other.nodes.length - one.nodes.length);
}

/** It had nothing wrong with it, but went back with the others of its wave. */
function isWithWave(state: NodeAccount['state'], failure: NodeAccount['failure']): boolean {
  return state === 'rolled-back' && failure === undefined;
}

function toGroup(nodes: readonly NodeAccount[]): FailureGroup {
  const failure = nodes[0]?.failure ?? NOT_TOLD;
  return { code: failure.code, failure, nodes };
}

/** The same mistake on two machines reads differently only in what is their own: names, addresses and numbers. */
function reasonKey({ code, message }: BatchFailure, node: string): string {
  const words = message.replaceAll(/"[^"]*"/g, '').split(/\s+/);
  return [code, ...words.filter((word) => word !== node && !/[\d./:]/.test(word))].join(' ');
}
