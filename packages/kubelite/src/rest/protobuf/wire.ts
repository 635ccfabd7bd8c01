import { badRequest } from '../../objects/statuses.ts';

/** One field as it is on the wire: a number for varints, bytes for everything else. */
export type WireField =
  | { readonly number: number; readonly wire: 'varint'; readonly value: bigint }
  | { readonly number: number; readonly wire: 'bytes' | 'fixed32' | 'fixed64'; readonly value: Buffer };

const VARINT = 0n;
const FIXED64 = 1n;
const LENGTH = 2n;
const FIXED32 = 5n;
const MAX_VARINT_BYTES = 10;
const MAX_VARINT = (1n << 64n) - 1n;

/** The fields of a message in their order. Throws 400 for malformed bytes. https://protobuf.dev/programming-guides/encoding/ */
export function* readWire(bytes: Buffer): Generator<WireField> {
  let at = 0;
  while (at < bytes.length) {
    const tag = readVarint(bytes, at);
    const { field, next } = readField(bytes, tag.next, Number(tag.value >> 3n), tag.value & 7n);
    yield field;
    at = next;
  }
}

/** The numbers of a packed list. */
export function* readPacked(bytes: Buffer, number: number): Generator<WireField> {
  let at = 0;
  while (at < bytes.length) {
    const { value, next } = readVarint(bytes, at);
    yield { number, wire: 'varint', value };
    at = next;
  }
}

interface Read {
  readonly field: WireField;
  readonly next: number;
}

function readField(bytes: Buffer, at: number, number: number, type: bigint): Read {
  if (number === 0) throw malformed();
  if (type === VARINT) {
    const { value, next } = readVarint(bytes, at);
    return { field: { number, wire: 'varint', value }, next };
  }
  if (type === FIXED64) return readBytes(bytes, at, 8, { number, wire: 'fixed64' });
  if (type === FIXED32) return readBytes(bytes, at, 4, { number, wire: 'fixed32' });
  if (type !== LENGTH) throw malformed();
  const length = readVarint(bytes, at);
  return readBytes(bytes, length.next, Number(length.value), { number, wire: 'bytes' });
}

function readVarint(bytes: Buffer, start: number): { readonly value: bigint; readonly next: number } {
  let value = 0n;
  for (let count = 0; count < MAX_VARINT_BYTES; count += 1) {
    const byte = bytes[start + count];
    if (byte === undefined) throw malformed();
    value |= BigInt(byte & 127) << BigInt(7 * count);
    if (byte < 128 && value <= MAX_VARINT) return { value, next: start + count + 1 };
  }
  throw malformed();
}

function readBytes(
  bytes: Buffer,
  start: number,
  length: number,
  field: { readonly number: number; readonly wire: 'bytes' | 'fixed32' | 'fixed64' },
): Read {
  if (start + length > bytes.length) throw malformed();
  return { field: { ...field, value: bytes.subarray(start, start + length) }, next: start + length };
}

function malformed(): Error {
  return badRequest('the body of the request is not a valid protobuf message');
}
