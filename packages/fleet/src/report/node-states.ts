import type { BatchFailure, BatchNodeState } from './events.ts';
import type { NodeAccount } from './node-account.ts';

/** All the states, in the order in which people want to read of them. */
const STATE_ORDER: readonly BatchNodeState[] = [
  'done',
  'unchanged',
  'failed',
  'unreachable',
  'rolled-back',
  'held',
  'rolling-back',
  'retrying',
  'proving',
  'executing',
  'delivering',
  'surveying',
  'waiting',
];

type Standing = 'well' | 'wrong' | 'active' | 'untouched';

const STANDINGS: Readonly<Record<BatchNodeState, Standing>> = {
  waiting: 'untouched',
  held: 'untouched',
  surveying: 'active',
  delivering: 'active',
  executing: 'active',
  proving: 'active',
  retrying: 'active',
  'rolling-back': 'active',
  unchanged: 'well',
  done: 'well',
  failed: 'wrong',
  unreachable: 'wrong',
  'rolled-back': 'wrong',
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
  const counts = new Map<BatchNodeState, number>();
  for (const { state } of nodes) counts.set(state, (counts.get(state) ?? 0) + 1);
  return new Map(STATE_ORDER.flatMap((state) => (counts.has(state) ? [[state, counts.get(state) ?? 0]] : [])));
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
