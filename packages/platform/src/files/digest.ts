import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { fileError } from '@fenestra/kernel';
import { pathExists } from './existing-path.ts';

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
