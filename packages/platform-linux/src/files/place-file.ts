import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncPath } from './sync.ts';

/** What to put where. */
export interface Placement<Result> {
  readonly path: string;
  readonly mode: number;
  /** Writes the content. A throw leaves the old file as it was. */
  readonly fill: (handle: FileHandle) => Promise<Result>;
}

/**
 * Fills a temporary file beside `path`, flushes it and moves it into place, so that readers and power cuts
 * meet the old file or the new one, whole.
 */
export async function placeFile<Result>({ path, mode, fill }: Placement<Result>): Promise<Result> {
  // Not made from the target's name, which may already be as long as the file system allows.
  const temporary = join(dirname(path), `.fenestra-${randomBytes(8).toString('hex')}.tmp`);
  const handle = await open(temporary, 'wx', 0o600);
  try {
    const result = await finish(handle, mode, fill);
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
  mode: number,
  fill: (handle: FileHandle) => Promise<Result>,
): Promise<Result> {
  try {
    const result = await fill(handle);
    await handle.chmod(mode);
    await handle.sync();
    return result;
  } finally {
    await handle.close();
  }
}
