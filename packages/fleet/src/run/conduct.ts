import type { BatchNode } from '../inventory/batch.ts';
import type { BatchNodeState } from '../report/events.ts';
import { countStates, standingOf } from '../report/node-states.ts';
import { surveyNode, tidyNode } from './change-node.ts';
import type { PlannedWave } from './record.ts';
import { forAll, type RunContext } from './run-context.ts';
import { isSettled, type NodeStanding, type RunOutcome, type RunState } from './run-state.ts';
import { missingNodes, planWaves, runWave } from './waves.ts';
import type { RunResult } from './run.ts';

/** Records that the run starts or resumes. A halt by rule that an earlier process did not complete stays in force. */
export async function beginRun(run: RunContext, resumed: boolean): Promise<void> {
  const { id, nodes, policy } = run.options;
  const waves = policy.waves.map(({ name }) => name);
  await run.journal.append({ type: 'run-begun', run: id, nodes: nodes.length, resumed, waves });
  const { halt } = run.journal.state;
  if (halt !== undefined) await run.halt(halt);
}

/** Continues a started run until it has ended. */
export async function conductRun(run: RunContext): Promise<RunResult> {
  const { nodes } = run.options;
  const untidied = nodes.filter((node) => isLeftOver(run.standing(node)));
  const { endedWaves } = run.journal.state;
  for (const wave of (await plannedWaves(run)).filter(({ name }) => !endedWaves.has(name))) {
    await runWave(run, wave);
    if (run.noMore.aborted) break;
  }
  await forAll(run, nodes, async (node) => holdUnlessSettled(run, node));
  await forAll(run, untidied, async (node) => tidyNode(run, node));
  await run.journal.append({
    type: 'run-ended',
    outcome: outcomeOf(run.journal.state),
    counts: Object.fromEntries(countStates(run.journal.state.nodes.values())),
  });
  return resultOf(run.journal.state);
}

/** Surveys all nodes that are not settled; the plan is made from the surveys. */
export async function surveyAll(run: RunContext): Promise<void> {
  const unsettled = run.options.nodes.filter((node) => !isSettled(run.standing(node)));
  await forAll(run, unsettled, async (node) => surveyNode(run, node));
}

/** The waves of the nodes that need a change. */
export function wavesOf({ options, journal }: RunContext): readonly PlannedWave[] {
  const toChange = options.nodes.filter(({ name }) => journal.state.nodes.get(name)?.state === 'waiting');
  return planWaves(toChange, options.policy.waves);
}

async function plannedWaves(run: RunContext): Promise<readonly PlannedWave[]> {
  const { state } = run.journal;
  if (state.waves !== undefined) return state.waves;
  await surveyAll(run);
  const missing = run.options.policy.unreachable === 'stop' ? missingNodes(state.nodes) : undefined;
  if (missing !== undefined) await run.halt({ wave: firstWave(run), reason: missing, by: 'rule' });
  if (run.noMore.aborted) return [];
  const waves = wavesOf(run);
  await run.journal.append({ type: 'planned', waves });
  return waves;
}

function firstWave({ options }: RunContext): string {
  return options.policy.waves[0]?.name ?? '';
}

async function holdUnlessSettled(run: RunContext, node: BatchNode): Promise<void> {
  if (isSettled(run.standing(node))) return;
  await run.journal.append({ type: 'node', node: node.name, state: 'held' });
}

/** An earlier process settled the node but did not tidy it. */
function isLeftOver(node: NodeStanding): boolean {
  return isSettled(node) && !node.tidied;
}

/** The result of an ended run. */
function resultOf(state: RunState): RunResult {
  const nodes = [...state.nodes.values()].map(({ name, state: end, failure }) => ({ name, state: end, failure }));
  return {
    outcome: state.outcome ?? outcomeOf(state),
    counts: Object.fromEntries(countStates(state.nodes.values())),
    nodes,
  };
}

/** The outcome of a run whose nodes are all settled. */
function outcomeOf({ halt, nodes }: RunState): RunOutcome {
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
