/**
 * Messages by their field numbers, without a schema: few messages are needed, and a peer's newer fields are ignored.
 * https://protobuf.dev/programming-guides/encoding/
 */
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { OperatorError } from '@fenestra/kernel';

/** A field of a message: a number, or the bytes of text or of a message. */
export interface ProtobufField {
  readonly number: number;
  readonly value: bigint | Uint8Array;
}

/** A text field. An empty one is omitted, as the format prescribes. */
export function textField(number: number, text: string): Uint8Array {
  return text === '' ? new Uint8Array() : bytesField(number, Buffer.from(text));
}

/** A field that holds another message, or raw bytes. */
export function bytesField(number: number, bytes: Uint8Array): Uint8Array {
  return new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(bytes).finish();
}

/** A field for a whole number that is not negative, an enumeration or a flag. Zero is omitted. */
export function numberField(number: number, value: number): Uint8Array {
  return value === 0 ? new Uint8Array() : new BinaryWriter().tag(number, WireType.Varint).uint64(value).finish();
}

/** A `map<string, string>`, which on the wire is a repeated message of key and value. */
export function mapField(number: number, map: Readonly<Record<string, string>>): Uint8Array {
  const entries = Object.entries(map).map(([key, value]) => joinFields(textField(1, key), textField(2, value)));
  return joinFields(...entries.map((entry) => bytesField(number, entry)));
}

/** A message: its fields one after the other. */
export function joinFields(...fields: readonly Uint8Array[]): Buffer {
  return Buffer.concat(fields);
}

/** Reads the fields of a message. Throws only `MESSAGE_INVALID`. */
export function readFields(message: Uint8Array): readonly ProtobufField[] {
  const reader = new BinaryReader(message);
  const fields: ProtobufField[] = [];
  try {
    while (reader.pos < reader.len) {
      const [number, wire] = reader.tag();
      fields.push({ number, value: readValue(reader, number, wire) });
    }
  } catch (cause) {
    throw new OperatorError('MESSAGE_INVALID', 'Cannot read the answer of the container runtime: it is not protobuf', {
      hint: 'Check that the endpoint belongs to a container runtime, and update the runtime.',
      cause,
    });
  }
  return fields;
}

/** The text of a field; the last one counts, and an absent one is empty. */
export function textOf(fields: readonly ProtobufField[], number: number): string {
  return Buffer.from(bytesOf(fields, number).at(-1) ?? []).toString('utf8');
}

/** The number in a field; the last one counts, and an absent one is zero. */
export function numberOf(fields: readonly ProtobufField[], number: number): number {
  const value = fields.findLast((field) => field.number === number)?.value;
  return typeof value === 'bigint' ? Number(value) : 0;
}

/** Every message that a repeated field holds, as its fields. */
export function messagesOf(fields: readonly ProtobufField[], number: number): readonly (readonly ProtobufField[])[] {
  return bytesOf(fields, number).map(readFields);
}

/** The `map<string, string>` of a field. */
export function mapOf(fields: readonly ProtobufField[], number: number): Readonly<Record<string, string>> {
  return Object.fromEntries(messagesOf(fields, number).map((entry) => [textOf(entry, 1), textOf(entry, 2)]));
}

function readValue(reader: BinaryReader, number: number, wire: WireType): bigint | Uint8Array {
  if (wire === WireType.Varint) return BigInt(reader.uint64());
  return wire === WireType.LengthDelimited ? reader.bytes() : reader.skip(wire, number);
}

function bytesOf(fields: readonly ProtobufField[], number: number): readonly Uint8Array[] {
  return fields.flatMap((field) => (field.number === number && field.value instanceof Uint8Array ? [field.value] : []));
}
