import { beginRun, conductRun } from './conduct.ts';
import type { OpenedRecord } from './record.ts';
import type { Run, RunOptions } from './run.ts';
import { advance, openState, type GrowingState } from './run-state.ts';
import { requireSameBatch } from './same-batch.ts';
import { setScene, type Scene } from './scene.ts';

/** Begins a run, or goes on with the one that the records tell of. */
export function startRun(options: RunOptions): Run {
  const opened = openedBy(options);
  const scene = setScene(options, stateAfter(opened, options));
  const begun = begin(scene, opened);
  // What is asked of a run counts from its beginning. If it cannot be written down, the run ends and says so itself.
  const onceBegun = (act: () => Promise<void>): void => void begun.then(unlessEnded(scene, act)).catch(() => undefined);
  return {
    pause: () => onceBegun(async () => pause(scene)),
    continue: () => onceBegun(async () => goOn(scene)),
    hold: () => onceBegun(async () => halt(scene, 'hold')),
    abort: () => onceBegun(async () => halt(scene, 'abort')),
    ended: begun.then(async () => conductRun(scene)),
  };
}

function unlessEnded({ ledger }: Scene, act: () => Promise<void>): () => Promise<void> {
  return async () => (ledger.state.outcome === undefined ? act() : undefined);
}

async function begin(scene: Scene, opened: OpenedRecord): Promise<void> {
  const { records, nodes } = scene.options;
  requireSameBatch(opened, nodes);
  const resumed = records.earlier.length > 0;
  if (!resumed) await records.append(opened);
  await beginRun(scene, resumed);
}

async function pause(scene: Scene): Promise<void> {
  scene.slots.pause();
  await scene.ledger.tell({ type: 'paused' });
}

async function goOn(scene: Scene): Promise<void> {
  scene.slots.continue();
  await scene.ledger.tell({ type: 'resumed' });
}

async function halt(scene: Scene, by: 'hold' | 'abort'): Promise<void> {
  await scene.halt({ wave: currentWave(scene), reason: `somebody asked to ${by}`, by });
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

/** The wave that goes on, or the first if none does yet. */
function currentWave({ ledger, options }: Scene): string {
  const { waves, endedWaves } = ledger.state;
  return waves?.find(({ name }) => !endedWaves.has(name))?.name ?? options.policy.waves[0]?.name ?? '';
}
