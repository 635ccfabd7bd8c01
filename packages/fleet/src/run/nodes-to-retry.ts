import type { BatchNodeState } from '@fenestra/contracts/batch';
import type { RunState } from './run-state.ts';

const WORTH_A_NEW_RUN: ReadonlySet<BatchNodeState> = new Set(['failed', 'unreachable', 'held', 'rolled-back']);

/** The nodes of a run that are not as wanted, in the order of the file: what a new run is made of to do them again. */
export function nodesToRetry(state: RunState): readonly string[] {
  return [...state.nodes.values()].filter((node) => WORTH_A_NEW_RUN.has(node.state)).map(({ name }) => name);
}

/** Whether there is something left to do for a process that goes on with the run. */
export function canGoOn(state: RunState): boolean {
  return state.outcome === undefined || [...state.nodes.values()].some((node) => node.state === 'held');
}
