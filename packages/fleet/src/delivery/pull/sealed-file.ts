import { createCipheriv, pbkdf2Sync } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { PULL_ITERATIONS } from '../posix/deliver-script.ts';

const BLOCK_BYTES = 1024 * 1024;
const KEY_BYTES = 32;
const COUNTER_BYTES = 16;
const SALT_BYTES = 8;

/** A file that is of no use to anybody who does not have the key, as `openssl enc` reads it. */
export interface SealedFile {
  readonly path: string;
  readonly size: number;
  /** One line of text. Secret. */
  readonly key: string;
}

/** Seals a file once, for however many machines. */
export async function sealFile(from: string, to: string, random: (size: number) => Uint8Array): Promise<SealedFile> {
  const key = Buffer.from(random(KEY_BYTES)).toString('hex');
  const salt = Buffer.from(random(SALT_BYTES));
  const derived = pbkdf2Sync(key, salt, PULL_ITERATIONS, KEY_BYTES + COUNTER_BYTES, 'sha256');
  const cipher = createCipheriv('aes-256-ctr', derived.subarray(0, KEY_BYTES), derived.subarray(KEY_BYTES));
  const target = createWriteStream(to, { mode: 0o600, highWaterMark: BLOCK_BYTES });
  target.write(Buffer.concat([Buffer.from('Salted__'), salt]));
  await pipeline(createReadStream(from, { highWaterMark: BLOCK_BYTES }), cipher, target);
  return { path: to, size: (await stat(to)).size, key };
}
