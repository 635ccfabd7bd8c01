import { lstat, readFile } from 'node:fs/promises';
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

/** The highest folder that creating this path would have to create; `null` if the path is there already. */
export async function topmostMissing(path: string): Promise<string | null> {
  if (await pathExists(path)) return null;
  const parent = dirname(path);
  return parent === path ? path : ((await topmostMissing(parent)) ?? path);
}

/** A file's text, or `null` if there is none. */
export async function readTextIfAny(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((cause: unknown) => {
    if (systemCodeOf(cause) === 'ENOENT') return null;
    throw fileError(cause, `read "${path}"`);
  });
}
