import { lstat, rm } from 'node:fs/promises';
import { fileError } from '@fenestra/kernel';
import { besideName, findBeside } from './beside.ts';

const LEFT_BEHIND_MS = 10 * 60 * 1000;

/**
 * Runs `fill` with a temporary name beside `path`, and removes what is left under it if that fails. Afterwards it
 * deletes what earlier runs left there when they were killed.
 */
export async function withTemporary(path: string, action: string, fill: (temporary: string) => Promise<void>) {
  const temporary = besideName(path, 'tmp');
  try {
    await fill(temporary);
  } catch (cause) {
    // What failed is what matters; a leftover that cannot be removed either must not hide it.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw fileError(cause, action);
  }
  await removeLeftovers(path).catch(() => undefined);
}

/** No replacement takes minutes; a younger file may belong to one that goes on right now. */
async function removeLeftovers(path: string): Promise<void> {
  for (const leftover of await findBeside(path, 'tmp')) {
    const { mtimeMs } = await lstat(leftover);
    if (Date.now() - mtimeMs > LEFT_BEHIND_MS) await rm(leftover, { force: true });
  }
}
