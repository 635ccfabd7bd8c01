import { resolve } from 'node:path';
import {
  obeyControl,
  readRun,
  startRun,
  systemClock,
  type Batch,
  type BatchNode,
  type Run,
  type RunFolder,
  type RunRecord,
  type RunRecords,
} from '@fenestra/fleet';
import type { Show } from '../batch-view/live-picture.ts';
import type { CommandResult } from '../cli/result.ts';
import type { KeadmEnvironment } from '../platform.ts';
import type { WorkFlags } from './batch-options.ts';
import { openWork, type BatchWork } from './open-work.ts';
import { writeReports, runResult } from './run-reports.ts';
import { showOf } from './show.ts';
import { storedAccount } from './stored-account.ts';

/** What a run is begun, or gone on, with. */
export interface RunRequest {
  readonly batch: Batch;
  readonly nodes: readonly BatchNode[];
  readonly flags: WorkFlags;
}

/**
 * Takes a run to its end, shows it in the meantime, and leaves the reports in its folder. The folder is opened when all else is
 * ready, so that a wrong command line leaves none behind.
 */
export async function conductRun(
  environment: KeadmEnvironment,
  openFolder: () => Promise<RunFolder>,
  request: RunRequest,
): Promise<CommandResult> {
  const again = environment.secondInterruption();
  const work = await openWork(environment, { ...request, signal: again });
  try {
    const folder = await openFolder();
    await workThrough(environment, folder, { ...request, work, again });
    return await resultOf(environment, folder.path);
  } finally {
    await work.close();
  }
}

async function resultOf(environment: KeadmEnvironment, folder: string): Promise<CommandResult> {
  const account = await storedAccount(await readRun(folder));
  await writeReports(await environment.loadPlatform(undefined), folder, account);
  return runResult(environment, account, folder);
}

interface ReadyRun extends RunRequest {
  readonly work: BatchWork;
  /** Fires at the second interruption. */
  readonly again: AbortSignal;
}

/** Whatever happens, the folder is closed, so that others can go on with the run. */
async function workThrough(environment: KeadmEnvironment, folder: RunFolder, ready: ReadyRun): Promise<void> {
  const show = showOf(environment, ready.flags.output);
  try {
    const run = begin(folder, ready, show);
    obeyInterruptions(run, environment.signal, ready.again);
    const obeying = obeyControl(folder.path, run, systemClock);
    await run.ended;
    await obeying;
  } finally {
    show.end();
    await folder.close();
  }
}

function begin(folder: RunFolder, { batch, work }: ReadyRun, show: Show): Run {
  return startRun({
    id: folder.id,
    batch: { file: resolve(batch.file), digest: batch.digest },
    nodes: work.nodes,
    policy: batch.policy,
    worker: work.worker,
    records: watchPlan(folder, show.plan),
    clock: systemClock,
    random: Math.random,
    onEvent: show.add,
    signal: new AbortController().signal,
  });
}

/** The first interruption lets what is in flight come to its end; the second one has it undone. */
function obeyInterruptions(run: Run, first: AbortSignal, second: AbortSignal): void {
  if (first.aborted) run.hold();
  if (second.aborted) run.abort();
  first.addEventListener('abort', () => run.hold(), { once: true });
  second.addEventListener('abort', () => run.abort(), { once: true });
}

/**
 * The records of a run; `tell` gets the names of its waves as soon as it is known which nodes have to be changed. A wave
 * of the file that none of them goes with is not among them.
 */
export function watchPlan(records: RunRecords, tell: (waves: readonly string[]) => void): RunRecords {
  const apply = (record: RunRecord): void => {
    if (record.type === 'planned') tell(record.waves.map(({ name }) => name));
  };
  for (const record of records.earlier) apply(record);
  return {
    earlier: records.earlier,
    log: (node, line) => records.log(node, line),
    async append(record) {
      await records.append(record);
      apply(record);
    },
  };
}
