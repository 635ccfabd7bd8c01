import type { BatchNodeState } from '../report/events.ts';
import type { RunState } from './run-state.ts';

const WORTH_A_NEW_RUN: ReadonlySet<BatchNodeState> = new Set(['failed', 'unreachable', 'held', 'rolled-back']);

/** The nodes of a run that are not up to date, in the order of the file; a retry is a new run with these nodes. */
export function nodesToRetry(state: RunState): readonly string[] {
  return [...state.nodes.values()].filter((node) => WORTH_A_NEW_RUN.has(node.state)).map(({ name }) => name);
}

/** Whether resuming the run would do anything. */
export function canGoOn(state: RunState): boolean {
  return state.outcome === undefined || [...state.nodes.values()].some((node) => node.state === 'held');
}
