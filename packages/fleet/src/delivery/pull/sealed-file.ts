import { createCipheriv, pbkdf2Sync } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { passingBytes } from '../parcel.ts';
import { PULL_ITERATIONS } from '../posix/deliver-script.ts';

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
  await using target = await open(to, 'w', 0o600);
  await target.write(Buffer.concat([Buffer.from('Salted__'), salt]));
  for await (const piece of passingBytes(from, (await stat(from)).size)) {
    const sealed = cipher.update(piece);
    await target.writeFile(sealed);
    release(sealed);
  }
  return { path: to, size: (await target.stat()).size, key };
}

/** Gives the memory back at once: until it was collected, all that was sealed would be in memory together. */
function release({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}
