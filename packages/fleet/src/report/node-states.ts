import type { BatchNodeState } from './events.ts';

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

/** What a state means for the node. */
export type Standing = 'well' | 'wrong' | 'active' | 'untouched';

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
