import { beginRun, conductRun } from './conduct.ts';
import type { OpenedRecord } from './record.ts';
import type { Run, RunOptions } from './run.ts';
import { advance, openState, type GrowingState } from './run-state.ts';
import { requireSameBatch } from './same-batch.ts';
import { createRunContext, type RunContext } from './run-context.ts';

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
  await run.halt({ wave: currentWave(run), reason: `somebody asked to ${by}`, by });
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

/** The wave in progress, or the first one if none has begun. */
function currentWave({ journal, options }: RunContext): string {
  const { waves, endedWaves } = journal.state;
  return waves?.find(({ name }) => !endedWaves.has(name))?.name ?? options.policy.waves[0]?.name ?? '';
}
