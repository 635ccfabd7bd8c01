import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileError, nodeLockOwner, type LockOwner } from '@fenestra/kernel';
import type { RunClock } from './clock.ts';
import type { Run } from './run.ts';

const WORDS = ['pause', 'continue', 'hold', 'abort'] as const;
const POLL_MS = 500;

/** What can be said to a run that goes on in another process. */
export type ControlWord = (typeof WORDS)[number];

/** Says a word to the process that works on the run: an empty file in its folder, whose name is the message. */
export async function sendControl(folder: string, word: ControlWord, now: Date): Promise<void> {
  await writeFile(join(folder, `control-${now.getTime()}-${word}`), '', { mode: 0o600 }).catch((cause: unknown) => {
    throw fileError(cause, `say "${word}" to the run in "${folder}"`);
  });
}

/** Who works on the run, dead or alive; `undefined` if nobody does. */
export async function runOwner(folder: string): Promise<LockOwner | undefined> {
  return nodeLockOwner(lockFolder(folder));
}

/** Where the lock of the run in this folder is. */
export function lockFolder(folder: string): string {
  return join(folder, 'lock');
}

/** Does what is said to the run until it has ended. What was said to an earlier process no longer counts. */
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
  // A folder that cannot be read for a moment is read again in the next.
  const names = await readdir(folder).catch(() => []);
  const messages = names.filter((name) => name.startsWith('control-')).toSorted();
  // Nothing about a message is a reason to leave a run half-way.
  for (const name of messages) await rm(join(folder, name), { force: true }).catch(() => undefined);
  return messages.flatMap((name) => WORDS.filter((word) => name.endsWith(`-${word}`)));
}
