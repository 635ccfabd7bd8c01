import { OperatorError } from '@fenestra/kernel';
import type { BatchNode } from '../inventory/batch.ts';
import { beginRun, conductRun, surveyAll, wavesOf } from './conduct.ts';
import type { OpenedRecord, PlannedWave } from './record.ts';
import { createRunContext, type RunContext } from './run-context.ts';
import { advance, type GrowingState, type NodeStanding, openState } from './run-state.ts';
import type { PlannedNode, Run, RunOptions, RunPlan, RunRecords } from './run.ts';

/** Starts a run, or resumes the one in the records. */
export function startRun(options: RunOptions): Run {
  const opened = openedBy(options);
  const run = createRunContext(options, stateAfter(opened, options));
  const begun = begin(run, opened);
  // Requests take effect once the run has begun. If one cannot be recorded, the run rejects with the reason.
  const onceStarted = (act: () => Promise<void>): void => void begun.then(unlessEnded(run, act)).catch(() => undefined);
  return {
    pause: () => onceStarted(async () => pause(run)),
    continue: () => onceStarted(async () => goOn(run)),
    hold: () => onceStarted(async () => halt(run, 'hold')),
    abort: () => onceStarted(async () => halt(run, 'abort')),
    ended: begun.then(async () => conductRun(run)),
  };
}

function unlessEnded({ journal }: RunContext, act: () => Promise<void>): () => Promise<void> {
  return async () => (journal.state.outcome === undefined ? act() : undefined);
}

async function begin(run: RunContext, opened: OpenedRecord): Promise<void> {
  const { records, nodes } = run.options;
  requireSameBatch(opened, nodes);
  const resumed = records.earlier.length > 0;
  if (!resumed) await records.append(opened);
  await beginRun(run, resumed);
}

async function pause(run: RunContext): Promise<void> {
  run.budgets.pause();
  await run.journal.append({ type: 'paused' });
}

async function goOn(run: RunContext): Promise<void> {
  run.budgets.continue();
  await run.journal.append({ type: 'resumed' });
}

async function halt(run: RunContext, by: 'hold' | 'abort'): Promise<void> {
  await run.halt({ wave: currentWave(run), reason: `someone asked to ${by}`, by });
}

function openedBy({ id, batch, nodes, records, clock }: RunOptions): OpenedRecord {
  const [first] = records.earlier;
  if (first?.type === 'opened') return first;
  const known = nodes.map(({ name, groups, shownCommand }) => ({ name, groups, shownCommand }));
  return { type: 'opened', time: clock.now().toISOString(), run: id, batch, nodes: known };
}

function stateAfter(opened: OpenedRecord, { records }: RunOptions): GrowingState {
  const state = openState(opened);
  for (const record of records.earlier.slice(1)) advance(state, record);
  return state;
}

function currentWave({ journal, options }: RunContext): string {
  const { waves, endedWaves } = journal.state;
  return waves?.find(({ name }) => !endedWaves.has(name))?.name ?? options.policy.waves[0]?.name ?? '';
}

/** What a plan is made from: nothing is recorded. */
export type PlanOptions = Omit<RunOptions, 'records' | 'batch'>;

const NOT_KEPT: RunRecords = { earlier: [], append: async () => {}, log: () => {} };

/** Surveys all nodes and returns what a run would do; changes nothing. */
export async function planRun(options: PlanOptions): Promise<RunPlan> {
  const run = planningContext(options);
  await surveyAll(run);
  run.gone.throwIfAborted();
  const waves = wavesOf(run);
  return { waves, nodes: options.nodes.map((node) => plannedNode(run.standing(node), waves)) };
}

function planningContext(options: PlanOptions): RunContext {
  const batch = { file: '', digest: '' };
  const nodes = options.nodes.map(({ name, groups, shownCommand }: BatchNode) => ({ name, groups, shownCommand }));
  const opened = { type: 'opened', time: '', run: options.id, batch, nodes } as const;
  return createRunContext({ ...options, batch, records: NOT_KEPT }, openState(opened));
}

function plannedNode({ name, state, survey, failure }: NodeStanding, waves: readonly PlannedWave[]): PlannedNode {
  const wave = waves.find(({ nodes }) => nodes.includes(name))?.name;
  return { name, fate: fateOf(state), wave, survey, failure };
}

function fateOf(state: NodeStanding['state']): PlannedNode['fate'] {
  if (state === 'unchanged') return 'nothing';
  return state === 'unreachable' || state === 'failed' ? state : 'change';
}

/** Throws if a run would be resumed with other nodes or commands than it was started with. */
function requireSameBatch({ run, nodes: known }: OpenedRecord, nodes: readonly BatchNode[]): void {
  const now = new Map(nodes.map((node) => [node.name, node.shownCommand.join('\0')]));
  const before = new Map(known.map((node) => [node.name, node.shownCommand.join('\0')]));
  const changed = [...new Set([...before.keys(), ...now.keys()])].find((name) => before.get(name) !== now.get(name));
  if (changed === undefined) return;
  throw new OperatorError('CONFIG_INVALID', `Cannot resume the run "${run}": the batch file has changed`, {
    hint: `Restore the settings of the node "${changed}", or start a new run: it skips nodes that are up to date.`,
    details: { run, node: changed },
  });
}
