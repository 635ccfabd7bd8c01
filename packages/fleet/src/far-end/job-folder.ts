import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileError, parseJson, systemCodeOf } from '@fenestra/kernel';
import type { AccessControl, FileStore, Host, HostFacts } from '@fenestra/platform';
import { FarEndExit, FarEndHolder, FarEndRecord } from './messages.ts';

/** Where a job keeps what it knows: files in a private folder. */
export interface JobFolder {
  readonly path: string;
  readonly recordFile: string;
  readonly holderFile: string;
  readonly exitFile: string;
  /** Someone wants the job to stop once this is there. */
  readonly stopFile: string;
  /** What the command prints for programs, and what for people. */
  readonly resultFile: string;
  readonly progressFile: string;
}

/** The files of the job that has this folder. */
export function jobFolder(path: string): JobFolder {
  return {
    path,
    recordFile: join(path, 'job.json'),
    holderFile: join(path, 'holder.json'),
    exitFile: join(path, 'exit.json'),
    stopFile: join(path, 'stop'),
    resultFile: join(path, 'stdout'),
    progressFile: join(path, 'stderr'),
  };
}

/** The jobs of a run that has left its folder on this machine: each try at its command, and the rollback. */
export async function jobFolders(runFolder: string): Promise<readonly JobFolder[]> {
  const names = await readdir(runFolder).catch(() => []);
  return names.filter((name) => /^(work(-\d+)?|undo)$/.test(name)).map((name) => jobFolder(join(runFolder, name)));
}

async function readRecord({ recordFile }: JobFolder): Promise<FarEndRecord | undefined> {
  return FarEndRecord.safeParse(await readJson(recordFile)).data;
}

/** Who manages it. */
export async function readHolder({ holderFile }: JobFolder): Promise<FarEndHolder | undefined> {
  return FarEndHolder.safeParse(await readJson(holderFile)).data;
}

async function readExit({ exitFile }: JobFolder): Promise<FarEndExit | undefined> {
  return FarEndExit.safeParse(await readJson(exitFile)).data;
}

async function readJson(path: string): Promise<unknown> {
  try {
    return parseJson(await readFile(path, 'utf8'));
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw fileError(error, `read "${path}"`);
  }
}

/** Where a job stands. */
export type JobState =
  | { readonly kind: 'absent' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'running' }
  | { readonly kind: 'ended'; readonly exit: FarEndExit }
  | { readonly kind: 'gone'; readonly rebooted: boolean };

/** Finds out where the job stands, from its files and from who is running. */
export async function jobState(folder: JobFolder, { host }: Pick<FarEndPorts, 'host'>): Promise<JobState> {
  const record = await readRecord(folder);
  if (record === undefined) return { kind: 'absent' };
  const holder = await readHolder(folder);
  const keeper = holder ?? record.starter;
  const alive = await host.isAlive(keeper);
  // Read last: anyone who is no longer alive has written it by now, if ever.
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

/** What the far end needs of the machine it runs on. */
export interface FarEndPorts {
  readonly host: Pick<Host, 'self' | 'isAlive'>;
  readonly os: HostFacts['os'];
  readonly files: Pick<FileStore, 'replace' | 'move' | 'removeTree'>;
  readonly access: Pick<AccessControl, 'makePrivate'>;
  readonly now: () => Date;
  /** How this program starts itself. */
  readonly ownCommand: readonly string[];
  /** Says one event to anyone who has called. */
  readonly emit: (line: string) => void;
  /** Whether it is known that no one listens any more. */
  readonly unheard: () => boolean;
}
