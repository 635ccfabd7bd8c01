import { createCipheriv, pbkdf2Sync, type Cipheriv } from 'node:crypto';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { PULL_ITERATIONS } from '../posix/fetch-function.ts';
import type { SharedReading } from '../shared-reading.ts';
import { WaterMark } from './water-mark.ts';

const KEY_BYTES = 32;
const COUNTER_BYTES = 16;
const SALT_BYTES = 8;
const MAGIC = Buffer.from('Salted__');

/** A file that is of no use to anybody who does not have the key, as `openssl enc` reads it. */
export interface SealedFile {
  readonly size: number;
  /** One line of text. Secret. */
  readonly key: string;
  /** Its bytes from the first one on, as soon as each is sealed; a piece holds only until the next one is asked for. */
  bytes(): AsyncGenerator<Uint8Array>;
  /** Whether part of it will never be there: this machine's disk is full, or the file has become shorter. */
  isBroken(): boolean;
  /** Settles when nothing more is sealed. */
  readonly done: Promise<void>;
}

/** What sealing needs. */
export interface SealTools {
  /** Bytes that nobody can guess. */
  readonly random: (size: number) => Uint8Array;
  readonly reading: SharedReading;
}

/** Seals a file once, for however many machines, the first of which need not wait until all of it is. */
export async function sealFile(from: string, to: string, { random, reading }: SealTools): Promise<SealedFile> {
  const key = Buffer.from(random(KEY_BYTES)).toString('hex');
  const salt = Buffer.from(random(SALT_BYTES));
  const derived = pbkdf2Sync(key, salt, PULL_ITERATIONS, KEY_BYTES + COUNTER_BYTES, 'sha256');
  const cipher = createCipheriv('aes-256-ctr', derived.subarray(0, KEY_BYTES), derived.subarray(KEY_BYTES));
  const { size } = await stat(from);
  const target = await open(to, 'w', 0o600);
  const mark = new WaterMark();
  const done = sealAll(reading.bytes(from, size), { cipher, target, head: Buffer.concat([MAGIC, salt]) }, mark);
  const whole = MAGIC.length + SALT_BYTES + size;
  return {
    size: whole,
    key,
    done,
    isBroken: () => mark.misses(whole),
    bytes: () => reading.bytes(to, whole, async (end) => mark.reached(end)),
  };
}

interface Seal {
  readonly cipher: Cipheriv;
  readonly target: FileHandle;
  readonly head: Buffer;
}

async function sealAll(
  plain: AsyncIterable<Uint8Array>,
  { cipher, target, head }: Seal,
  mark: WaterMark,
): Promise<void> {
  try {
    await target.writeFile(head);
    mark.rise(head.length);
    for await (const piece of plain) {
      const sealed = cipher.update(piece);
      await target.writeFile(sealed);
      mark.rise(sealed.length);
      release(sealed);
    }
  } catch {
    // Whoever waits for the rest is told.
  } finally {
    mark.stop();
    // What counts is how much was written.
    await target.close().catch(() => undefined);
  }
}

/** Gives the memory back at once: until it was collected, all that was sealed would be in memory together. */
function release({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}
