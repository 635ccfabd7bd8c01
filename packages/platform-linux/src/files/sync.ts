import { type FileHandle, open } from 'node:fs/promises';
import { fileError } from '@fenestra/kernel';

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
