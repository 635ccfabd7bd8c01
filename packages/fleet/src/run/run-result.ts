import type { BatchNodeState } from '../report/events.ts';
import type { RunOutcome, RunState } from './run-state.ts';
import type { RunResult } from './run.ts';

const WRONG: ReadonlySet<BatchNodeState> = new Set(['failed', 'unreachable', 'rolled-back', 'held']);
const CUT_SHORT: ReadonlySet<BatchNodeState> = new Set(['rolled-back', 'held']);

/** The result of an ended run. */
export function resultOf(state: RunState): RunResult {
  const nodes = [...state.nodes.values()].map(({ name, state: end, failure }) => ({ name, state: end, failure }));
  return { outcome: state.outcome ?? outcomeOf(state), counts: countsOf(state), nodes };
}

/** The outcome of a run whose nodes are all settled. */
export function outcomeOf({ halt, nodes }: RunState): RunOutcome {
  const states = [...nodes.values()].map(({ state }) => state);
  // A requested halt with nothing left to stop has no effect.
  const halted = halt?.by === 'rule' || (halt !== undefined && states.some((state) => CUT_SHORT.has(state)));
  if (halted) return halt.by === 'abort' ? 'aborted' : 'halted';
  return states.some((state) => WRONG.has(state)) ? 'some-failed' : 'all-well';
}

/** How many nodes are in each state, without the states of no node. */
export function countsOf({ nodes }: RunState): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { state } of nodes.values()) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

const WORTH_A_NEW_RUN: ReadonlySet<BatchNodeState> = new Set(['failed', 'unreachable', 'held', 'rolled-back']);

/** The nodes of a run that are not up to date, in the order of the file; a retry is a new run with these nodes. */
export function nodesToRetry(state: RunState): readonly string[] {
  return [...state.nodes.values()].filter((node) => WORTH_A_NEW_RUN.has(node.state)).map(({ name }) => name);
}

/** Whether resuming the run would do anything. */
export function canGoOn(state: RunState): boolean {
  return state.outcome === undefined || [...state.nodes.values()].some((node) => node.state === 'held');
}
