import { lstat, readdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
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

/** Of these paths, those at which there is something. */
export async function existingPaths(paths: readonly string[]): Promise<readonly string[]> {
  const exists = await Promise.all(paths.map(pathExists));
  return paths.filter((_path, index) => exists[index]);
}

/** Of these paths, those at which there is nothing. */
export async function missingPaths(paths: readonly string[]): Promise<readonly string[]> {
  const existing = await existingPaths(paths);
  return paths.filter((path) => !existing.includes(path));
}

/** The text of a file. `what` completes "Cannot read …". */
export async function readText(path: string, what = `"${path}"`): Promise<string> {
  return readFile(path, 'utf8').catch((cause: unknown) => {
    throw fileError(cause, `read ${what}`);
  });
}

/** The text of a file; `undefined` if there is none. */
export async function readTextIfAny(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((cause: unknown) => {
    if (systemCodeOf(cause) === 'ENOENT') return undefined;
    throw fileError(cause, `read "${path}"`);
  });
}

/** The names in a folder; none if there is no such folder. `what` completes "Cannot list …". */
export async function namesIn(folder: string, what = `the folder "${folder}"`): Promise<readonly string[]> {
  return readdir(folder).catch((cause: unknown) => {
    if (systemCodeOf(cause) === 'ENOENT') return [];
    throw fileError(cause, `list ${what}`);
  });
}

/** The SHA-256 of a file, in lower-case hexadecimal. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path, { highWaterMark: BLOCK_BYTES }), hash);
  } catch (cause) {
    throw fileError(cause, `read "${path}"`);
  }
  return hash.digest('hex');
}

/** The digest of a file, or `null` if there is none. */
export async function digestIfAny(path: string): Promise<string | null> {
  return (await pathExists(path)) ? digestOf(path) : null;
}

/** Programs are large: with the default of 64 KiB, handing the blocks over takes longer than hashing them. */
const BLOCK_BYTES = 512 * 1024;
