import { rmdir } from 'node:fs/promises';
import { fileError, systemCodeOf } from '@fenestra/kernel';
import { pathExists } from '@fenestra/platform';

/** Not empty, gone, in use as a mount point, or no folder any more. */
const NOT_OURS = ['ENOENT', 'ENOTEMPTY', 'EEXIST', 'EBUSY', 'ENOTDIR'];

/** Deletes a folder that is empty. What somebody has put into it or mounted there meanwhile is not ours to take away. */
export async function removeIfEmpty(folder: string): Promise<boolean> {
  // Even to delete what is not there, a read-only disk would be an error.
  if (!(await pathExists(folder))) return false;
  try {
    await rmdir(folder);
    return true;
  } catch (cause) {
    if (NOT_OURS.includes(systemCodeOf(cause))) return false;
    throw fileError(cause, `delete the folder "${folder}"`);
  }
}
