import type { BatchNodeState } from '../report/events.ts';
import { countStates, standingOf } from '../report/node-states.ts';
import type { RunOutcome, RunState } from './run-state.ts';
import type { RunResult } from './run.ts';

/** The result of an ended run. */
export function resultOf(state: RunState): RunResult {
  const nodes = [...state.nodes.values()].map(({ name, state: end, failure }) => ({ name, state: end, failure }));
  return {
    outcome: state.outcome ?? outcomeOf(state),
    counts: Object.fromEntries(countStates(state.nodes.values())),
    nodes,
  };
}

/** The outcome of a run whose nodes are all settled. */
export function outcomeOf({ halt, nodes }: RunState): RunOutcome {
  const states = [...nodes.values()].map(({ state }) => state);
  // A requested halt with nothing left to stop has no effect.
  const halted =
    halt?.by === 'rule' || (halt !== undefined && states.some((state) => state === 'rolled-back' || state === 'held'));
  if (halted) return halt.by === 'abort' ? 'aborted' : 'halted';
  return states.some(isWrong) ? 'some-failed' : 'all-well';
}

/** The nodes of a run that are not up to date, in the order of the file; a retry is a new run with these nodes. */
export function nodesToRetry(state: RunState): readonly string[] {
  return [...state.nodes.values()].filter((node) => isWrong(node.state)).map(({ name }) => name);
}

/** Whether resuming the run would do anything. */
export function canGoOn(state: RunState): boolean {
  return state.outcome === undefined || [...state.nodes.values()].some((node) => node.state === 'held');
}

function isWrong(state: BatchNodeState): boolean {
  return state === 'held' || standingOf(state) === 'wrong';
}
