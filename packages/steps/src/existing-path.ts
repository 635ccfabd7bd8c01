import { lstat, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileError, systemCodeOf } from '@fenestra/kernel';

const PERMISSION_BITS = 0o7777;

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

/** A text file with its permission bits, or `null` if there is none. */
export async function readTextFile(path: string): Promise<{ content: string; mode: number } | null> {
  try {
    return { content: await readFile(path, 'utf8'), mode: (await stat(path)).mode & PERMISSION_BITS };
  } catch (cause) {
    if (systemCodeOf(cause) === 'ENOENT') return null;
    throw fileError(cause, `read "${path}"`);
  }
}
