import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FarEndExit, FarEndHolder, FarEndRecord } from './messages/job.ts';
import { fileError, parseJson, systemCodeOf } from '@fenestra/kernel';

/** Where a job keeps what it knows: files in a private folder. */
export interface JobFolder {
  readonly path: string;
  readonly recordFile: string;
  readonly holderFile: string;
  readonly exitFile: string;
  /** Somebody wants the job to stop once this is there. */
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

/** The jobs of a run that has left its folder on this machine: each try at its command, and the way back. */
export async function jobFolders(runFolder: string): Promise<readonly JobFolder[]> {
  const names = await readdir(runFolder).catch(() => []);
  return names.filter((name) => /^(work(-\d+)?|undo)$/.test(name)).map((name) => jobFolder(join(runFolder, name)));
}

/** What the job was; `undefined` if there is none. */
export async function readRecord({ recordFile }: JobFolder): Promise<FarEndRecord | undefined> {
  return FarEndRecord.safeParse(await readJson(recordFile)).data;
}

/** Who looks after it. */
export async function readHolder({ holderFile }: JobFolder): Promise<FarEndHolder | undefined> {
  return FarEndHolder.safeParse(await readJson(holderFile)).data;
}

/** How it ended. */
export async function readExit({ exitFile }: JobFolder): Promise<FarEndExit | undefined> {
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
