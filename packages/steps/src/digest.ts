import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { fileError } from '@fenestra/kernel';

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

/** Programs are large: with the default of 64 KiB, handing the blocks over takes longer than hashing them. */
const BLOCK_BYTES = 512 * 1024;
