import { readFile } from 'node:fs/promises';
import { fileError, systemCodeOf } from '@fenestra/kernel';

/** Reads a text file; `undefined` if there is none. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (systemCodeOf(cause) === 'ENOENT') return undefined;
    throw fileError(cause, `read "${path}"`);
  }
}
