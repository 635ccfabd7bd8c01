import { mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileError, systemCodeOf } from '@fenestra/kernel';
import type { FileStore } from '@fenestra/platform';

/** What takes folders away. */
type Remover = Pick<FileStore, 'removeTree'>;

const NAME = /^keadm-batch-(\d+)-/;

/** Makes a folder for this account alone, and takes away what runs that were killed have left. */
export async function makeScratch(files: Remover, parent: string): Promise<string> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names) if (isOfTheDead(name)) await removeScratch(files, parent, join(parent, name));
  return mkdtemp(join(parent, `keadm-batch-${process.pid}-`)).catch((cause: unknown) => {
    throw fileError(cause, `make a folder in "${parent}"`);
  });
}

/** What is left of it, or is another account's, is in nobody's way: no reason to call a run failed. */
export async function removeScratch(files: Remover, parent: string, scratch: string): Promise<void> {
  await files.removeTree(scratch, parent, new AbortController().signal).catch(() => undefined);
}

function isOfTheDead(name: string): boolean {
  const [, pid] = NAME.exec(name) ?? [];
  return pid !== undefined && !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return systemCodeOf(error) !== 'ESRCH';
  }
}
