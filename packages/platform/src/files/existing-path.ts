import { lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileError, systemCodeOf } from '@fenestra/kernel';

/** Whether anything, be it a broken link, is at this path. */
export async function pathExists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (cause: unknown) => {
      if (systemCodeOf(cause) === 'ENOENT') return false;
      throw fileError(cause, `look at "${path}"`);
    },
  );
}

/** The folders that creating this path would have to create, from the topmost down. */
export async function missingFolders(path: string): Promise<readonly string[]> {
  if (await pathExists(path)) return [];
  const parent = dirname(path);
  return parent === path ? [path] : [...(await missingFolders(parent)), path];
}
