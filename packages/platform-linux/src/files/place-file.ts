import { type FileHandle, lstat, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OperatorError } from '@fenestra/kernel';
import { syncPath } from './sync.ts';

/** What to put where. */
export interface Placement<Result> {
  readonly path: string;
  /** Where the content grows, in the same folder. What somebody has left there goes. */
  readonly temporary: string;
  readonly mode: number;
  /** Writes the content. A throw leaves the old file as it was. */
  readonly fill: (handle: FileHandle) => Promise<Result>;
}

/**
 * Fills a temporary file beside `path`, flushes it and moves it into place, so that readers and power cuts
 * meet the old file or the new one, whole.
 */
export async function placeFile<Result>({ path, temporary, mode, fill }: Placement<Result>): Promise<Result> {
  await rm(temporary, { force: true });
  // Created anew, which follows no link and never writes to a file that somebody else owns or has open.
  const handle = await open(temporary, 'wx', 0o600);
  try {
    const result = await finish(handle, temporary, mode, fill);
    await rename(temporary, path);
    await syncPath(dirname(path));
    return result;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function finish<Result>(
  handle: FileHandle,
  temporary: string,
  mode: number,
  fill: (handle: FileHandle) => Promise<Result>,
): Promise<Result> {
  try {
    const result = await fill(handle);
    await handle.chmod(mode);
    await handle.sync();
    await requireStillThere(handle, temporary);
    return result;
  } finally {
    await handle.close();
  }
}

/** Another run that has taken the name meanwhile is not done yet, and its half must not come into place. */
async function requireStillThere(handle: FileHandle, temporary: string): Promise<void> {
  const [own, found] = await Promise.all([handle.stat(), lstat(temporary)]);
  if (own.ino === found.ino) return;
  throw new OperatorError('FILE_IN_USE', `Cannot finish "${temporary}", because another run writes it too`, {
    hint: 'Wait until the other run has ended, then run the command again.',
  });
}
