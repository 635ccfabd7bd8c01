import type { FarEndExit, FarEndHolder } from './messages/job.ts';
import { readExit, readHolder, readRecord, type JobFolder } from './job-folder.ts';
import type { FarEndPorts } from './ports.ts';

/** Where a job stands. */
export type JobState =
  | { readonly kind: 'absent' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'running' }
  | { readonly kind: 'ended'; readonly exit: FarEndExit }
  | { readonly kind: 'gone'; readonly rebooted: boolean };

/** Finds out where the job stands, from its files and from who is alive. */
export async function jobState(folder: JobFolder, { host }: Pick<FarEndPorts, 'host'>): Promise<JobState> {
  const record = await readRecord(folder);
  if (record === undefined) return { kind: 'absent' };
  const holder = await readHolder(folder);
  const keeper = holder ?? record.starter;
  const alive = await host.isAlive(keeper);
  // Read last: whoever is no longer alive has written it by now, if ever.
  const exit = await readExit(folder);
  if (exit !== undefined) return { kind: 'ended', exit };
  if (alive) return { kind: holder === undefined ? 'starting' : 'running' };
  // Between the two looks the starter may have handed over.
  if (holder === undefined && (await readHolder(folder)) !== undefined) return { kind: 'starting' };
  return { kind: 'gone', rebooted: await isOfAnotherBoot(keeper, host) };
}

async function isOfAnotherBoot({ bootId }: FarEndHolder, host: FarEndPorts['host']): Promise<boolean> {
  return (await host.self()).bootId !== bootId;
}
