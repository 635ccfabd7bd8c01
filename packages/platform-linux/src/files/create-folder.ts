import { mkdir, stat, type FileHandle, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { systemCodeOf, fileError } from '@fenestra/kernel';

/**
 * Creates a folder and its parents, on the disk when it returns; returns the topmost one it had to create.
 * One at a time, because Node's recursive way calls a read-only disk a missing path.
 */
export async function createFolder(path: string): Promise<string | undefined> {
  const missing = await missingFolders(resolve(path));
  for (const folder of missing) {
    await createOne(folder);
    await syncPath(dirname(folder));
  }
  return missing[0];
}

/** From the topmost down. */
async function missingFolders(path: string): Promise<readonly string[]> {
  try {
    await stat(path);
    return [];
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT') throw error;
    return [...(await missingFolders(dirname(path))), path];
  }
}

/** Someone else may create it at the same time. */
async function createOne(folder: string): Promise<void> {
  await mkdir(folder, 0o755).catch((error: unknown) => {
    if (systemCodeOf(error) !== 'EEXIST') throw error;
  });
}

/** Puts a file's or folder's content on the disk. */
export async function syncPath(path: string): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, 'r');
    await handle.sync();
  } catch (cause) {
    throw fileError(cause, `write "${path}" to the disk`);
  } finally {
    await handle?.close();
  }
}
