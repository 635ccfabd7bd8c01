import type { BatchEvent } from '../../report/events.ts';
import type { RunRecord } from '../record.ts';
import type { Run, RunOptions, RunRecords, RunResult } from '../run.ts';
import { startRun } from '../start-run.ts';
import { farEnd, farEndWorker, type FarEnd } from './far-end.ts';
import type { Scenario } from './scenario.ts';
import { virtualClock, type VirtualClock } from './virtual-clock.ts';

/** The world of a scenario, which outlives the processes that work in it. */
export interface World {
  readonly scenario: Scenario;
  readonly clock: VirtualClock;
  readonly ends: ReadonlyMap<string, FarEnd>;
  readonly journal: RunRecord[];
  readonly events: BatchEvent[];
  /** Looked at after every event. */
  watch: (event: BatchEvent) => void;
}

/** When a process is killed: after so many of its records, the last of which reached the disk or not. */
export interface Kill {
  readonly records: number;
  readonly lastWritten: boolean;
}

/** A world in which nothing has happened. */
export function newWorld(scenario: Scenario): World {
  const ends = new Map([...scenario.scripts].map(([name, script]) => [name, farEnd(script)]));
  return { scenario, clock: virtualClock(), ends, journal: [], events: [], watch: () => undefined };
}

/** Starts a process that works on the run. */
export function startIn(world: World, kill?: Kill, more: Partial<RunOptions> = {}): Run {
  return startRun({
    id: 'run-1',
    batch: { file: 'batch.yaml', digest: '' },
    nodes: world.scenario.nodes,
    policy: world.scenario.policy,
    worker: farEndWorker(world.ends, world.clock),
    records: recordsIn(world, kill),
    clock: world.clock,
    random: randomFrom(world.scenario.seed),
    onEvent(event) {
      world.events.push(event);
      world.watch(event);
    },
    signal: new AbortController().signal,
    ...more,
  });
}

/** Lets the run go on until it ends, with a new process for each that is killed. */
export async function runToEnd(world: World, kills: readonly Kill[] = []): Promise<RunResult> {
  for (const kill of kills) {
    const result = await world.clock.drive(startIn(world, kill).ended).catch(isKill);
    if (result !== undefined) return result;
  }
  return world.clock.drive(startIn(world).ended);
}

class Killed extends Error {}

function isKill(error: unknown): undefined {
  if (!(error instanceof Killed)) throw error;
}

function recordsIn({ journal }: World, kill: Kill | undefined): RunRecords {
  let written = 0;
  return {
    earlier: [...journal],
    async append(record) {
      written += 1;
      const alive = kill === undefined || written < kill.records;
      if (alive || (written === kill.records && kill.lastWritten)) journal.push(record);
      if (!alive) throw new Killed();
    },
    log: () => undefined,
  };
}

/** The same numbers every time. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
