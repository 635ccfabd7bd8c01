import { createCipheriv, createDecipheriv } from 'node:crypto';
import { invalidBackup } from '../manifest.ts';
import { findKey, newSeal, SEAL_HEADER_BYTES, type KeyCost } from './header.ts';

const CIPHER = 'aes-256-gcm';
const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;

/** One chunk's place in the file. It is authenticated, so chunks can be neither reordered nor left off at the end. */
interface Place {
  readonly index: number;
  readonly last: boolean;
}

/** Encrypts and authenticates a stream under a passphrase, chunk by chunk, so that it never has to be in memory whole. */
export async function* seal(
  plain: AsyncIterable<Uint8Array>,
  passphrase: string,
  cost?: KeyCost,
): AsyncGenerator<Uint8Array> {
  const { header, key } = await newSeal(passphrase, cost);
  yield header;
  const take = pieceReader(plain);
  for (let index = 0, last = false; !last; index += 1) {
    const piece = await take(CHUNK_BYTES);
    last = piece.last;
    yield sealChunk(piece.bytes, key, { index, last });
  }
}

/** Gives back what was sealed. What was changed or cut off is refused; nothing is given out that was not verified. */
export async function* unseal(sealed: AsyncIterable<Uint8Array>, passphrase: string): AsyncGenerator<Uint8Array> {
  const take = pieceReader(sealed);
  const key = await findKey((await take(SEAL_HEADER_BYTES)).bytes, passphrase);
  for (let index = 0, last = false; !last; index += 1) {
    const piece = await take(CHUNK_BYTES + TAG_BYTES);
    last = piece.last;
    yield openChunk(piece.bytes, key, { index, last });
  }
}

function sealChunk(plain: Buffer, key: Buffer, place: Place): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonceOf(place)).setAAD(associatedData(place));
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function openChunk(chunk: Buffer, key: Buffer, place: Place): Buffer {
  const end = chunk.length - TAG_BYTES;
  if (end < 0) throw invalidBackup('is truncated');
  const decipher = createDecipheriv(CIPHER, key, nonceOf(place), { authTagLength: TAG_BYTES })
    .setAAD(associatedData(place))
    .setAuthTag(chunk.subarray(end));
  try {
    return Buffer.concat([decipher.update(chunk.subarray(0, end)), decipher.final()]);
  } catch (cause) {
    throw invalidBackup('was changed or truncated', cause);
  }
}

/** Never used twice: the key is this file's alone, and an index is this chunk's alone. */
function nonceOf({ index }: Place): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(index), 4);
  return nonce;
}

function associatedData({ index, last }: Place): Buffer {
  const data = Buffer.alloc(9);
  data.writeBigUInt64BE(BigInt(index));
  data.writeUInt8(last ? 1 : 0, 8);
  return data;
}

/** Bytes of a wanted length, and whether any follow. */
export interface Piece {
  readonly bytes: Buffer;
  readonly last: boolean;
}

/** Takes pieces of a wanted length out of a stream that comes in pieces of any; only the last may be shorter. */
function pieceReader(source: AsyncIterable<Uint8Array>): (length: number) => Promise<Piece> {
  const iterator = source[Symbol.asyncIterator]();
  let held = Buffer.alloc(0);
  let ended = false;

  async function hold(length: number): Promise<void> {
    const parts = [held];
    for (let total = held.length; total < length && !ended;) {
      const { done, value } = await iterator.next();
      ended = done === true;
      if (done !== true) parts.push(Buffer.from(value));
      total += done === true ? 0 : value.length;
    }
    held = Buffer.concat(parts);
  }

  return async (length) => {
    // One byte more than wanted shows whether anything follows.
    if (held.length <= length) await hold(length + 1);
    const bytes = held.subarray(0, length);
    held = held.subarray(length);
    return { bytes, last: ended && held.length === 0 };
  };
}
