import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileError, type LockOwner, nodeLockOwner } from '@fenestra/kernel';
import type { Run, RunClock } from './run.ts';

const WORDS = ['pause', 'continue', 'hold', 'abort'] as const;
const POLL_MS = 500;

/** A request to a run in another process. */
export type ControlWord = (typeof WORDS)[number];

/** Sends a request to the process that works on the run: an empty file in its folder, named after the request. */
export async function sendControl(folder: string, word: ControlWord, now: Date): Promise<void> {
  await writeFile(join(folder, `control-${now.getTime()}-${word}`), '', { mode: 0o600 }).catch((cause: unknown) => {
    throw fileError(cause, `request "${word}" of the run in "${folder}"`);
  });
}

/** The process that holds the run's lock, even if it has died; `undefined` if the run is not locked. */
export async function runOwner(folder: string): Promise<LockOwner | undefined> {
  return nodeLockOwner(lockFolder(folder));
}

/** Where the lock of the run in this folder is. */
export function lockFolder(folder: string): string {
  return join(folder, 'lock');
}

/** Carries out requests until the run has ended. Requests to an earlier process are discarded. */
export async function obeyControl(folder: string, run: Run, clock: RunClock): Promise<void> {
  const over = new AbortController();
  const end = (): void => over.abort();
  run.ended.then(end, end);
  await takeWords(folder);
  while (!over.signal.aborted) {
    await clock.wait(POLL_MS, over.signal).catch(() => undefined);
    for (const word of await takeWords(folder)) run[word]();
  }
}

async function takeWords(folder: string): Promise<readonly ControlWord[]> {
  // A folder that cannot be read now is read again at the next poll.
  const names = await readdir(folder).catch(() => []);
  const messages = names.filter((name) => name.startsWith('control-')).toSorted();
  // A request that cannot be removed must not fail the run.
  for (const name of messages) await rm(join(folder, name), { force: true }).catch(() => undefined);
  return messages.flatMap((name) => WORDS.filter((word) => name.endsWith(`-${word}`)));
}
