import { badRequest } from '../../objects/statuses.ts';

/** One field as it is on the wire: a number for varints, bytes for everything with a length. */
export interface WireField {
  readonly number: number;
  readonly value: Buffer | bigint;
}

const VARINT = 0;
const FIXED64 = 1;
const LENGTH = 2;
const FIXED32 = 5;
const MAX_VARINT_BYTES = 10;

/** The fields of a message in their order. Throws 400 for bytes that are no message. https://protobuf.dev/programming-guides/encoding/ */
export function* readWire(bytes: Buffer): Generator<WireField> {
  let at = 0;
  while (at < bytes.length) {
    const tag = readVarint(bytes, at);
    const { value, next } = readValue(bytes, tag.next, Number(tag.value & 7n));
    yield { number: Number(tag.value >> 3n), value };
    at = next;
  }
}

interface Read<T> {
  readonly value: T;
  readonly next: number;
}

function readValue(bytes: Buffer, at: number, type: number): Read<Buffer | bigint> {
  if (type === VARINT) return readVarint(bytes, at);
  if (type === LENGTH) {
    const length = readVarint(bytes, at);
    return readBytes(bytes, length.next, Number(length.value));
  }
  if (type === FIXED64) return readBytes(bytes, at, 8);
  if (type === FIXED32) return readBytes(bytes, at, 4);
  throw malformed();
}

function readVarint(bytes: Buffer, start: number): Read<bigint> {
  let value = 0n;
  for (let count = 0; count < MAX_VARINT_BYTES; count += 1) {
    const byte = bytes[start + count];
    if (byte === undefined) throw malformed();
    value |= BigInt(byte & 127) << BigInt(7 * count);
    if (byte < 128) return { value, next: start + count + 1 };
  }
  throw malformed();
}

function readBytes(bytes: Buffer, start: number, length: number): Read<Buffer> {
  if (start + length > bytes.length) throw malformed();
  return { value: bytes.subarray(start, start + length), next: start + length };
}

function malformed(): Error {
  return badRequest('the body of the request is not a proper protobuf message');
}
