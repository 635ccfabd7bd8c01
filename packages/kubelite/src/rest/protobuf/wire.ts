import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import type { Json } from '../../objects/json.ts';
import { badRequest } from '../../objects/statuses.ts';

/** A field whose value comes next in the reader. */
export interface WireField {
  readonly number: number;
  readonly wire: WireType;
  readonly reader: BinaryReader;
}

/** The fields of a message in their order; the caller reads each value. Throws 400 for malformed bytes. */
export function* fieldsIn(bytes: Uint8Array): Generator<WireField> {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number, wire] = wellFormed(() => reader.tag());
    yield { number, wire, reader };
  }
}

/** Reads from the wire. Bytes that break the format are a 400. */
export function wellFormed<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw badRequest('the body of the request is not a valid protobuf message');
  }
}

/** How a scalar is read; undefined for a value that JSON cannot hold. The reader throws for malformed bytes. */
export interface Scalar {
  readonly wire: WireType;
  readonly read: (reader: BinaryReader) => Json | undefined;
}

const INT32 = 2 ** 31;

/** The scalars of the message tables. */
export const SCALARS: Readonly<Record<string, Scalar>> = {
  string: { wire: WireType.LengthDelimited, read: (reader) => reader.string(true) },
  bytes: { wire: WireType.LengthDelimited, read: (reader) => Buffer.from(reader.bytes()).toString('base64') },
  bool: { wire: WireType.Varint, read: (reader) => reader.bool() },
  int32: { wire: WireType.Varint, read: (reader) => integer(reader, (value) => value >= -INT32 && value < INT32) },
  int64: { wire: WireType.Varint, read: (reader) => integer(reader, Number.isSafeInteger) },
  double: { wire: WireType.Bit64, read: (reader) => finite(reader.double()) },
};

function integer(reader: BinaryReader, fits: (value: number) => boolean): number | undefined {
  const value = Number(reader.int64());
  return fits(value) ? value : undefined;
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}
