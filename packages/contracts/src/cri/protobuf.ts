import { OperatorError } from '@fenestra/kernel';

/** One field of a message: a number, or the bytes of a text, a map entry or another message. */
export interface ProtobufField {
  readonly number: number;
  readonly value: bigint | Uint8Array;
}

/** The ways a value can be written, and how many bytes those of a fixed size take. */
const WIRE = { VARINT: 0, FIXED_64: 1, BYTES: 2, FIXED_32: 5 } as const;
const FIXED_64_BYTES = 8;
const FIXED_32_BYTES = 4;
const MOST_VARINT_BYTES = 10;

/** A text field. An empty one is left out, as the format has it. */
export function textField(number: number, text: string): Uint8Array {
  return text === '' ? new Uint8Array() : bytesField(number, Buffer.from(text));
}

/** A field that holds another message, or raw bytes. */
export function bytesField(number: number, bytes: Uint8Array): Uint8Array {
  return Buffer.concat([varint((number << 3) | WIRE.BYTES), varint(bytes.length), bytes]);
}

/** A field for a whole number that is not negative, an enumeration or a flag. Zero is left out. */
export function numberField(number: number, value: number): Uint8Array {
  return value === 0 ? new Uint8Array() : Buffer.concat([varint((number << 3) | WIRE.VARINT), varint(value)]);
}

/** A `map<string, string>`, which on the wire is a repeated message of key and value. */
export function mapField(number: number, map: Readonly<Record<string, string>>): Uint8Array {
  const entries = Object.entries(map).map(([key, value]) => joinFields(textField(1, key), textField(2, value)));
  return joinFields(...entries.map((entry) => bytesField(number, entry)));
}

/** A message: its fields one after the other. */
export function joinFields(...fields: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(fields);
}

/** Takes a message apart. Whatever the bytes are, it throws nothing but `MESSAGE_INVALID`. */
export function readFields(message: Uint8Array): readonly ProtobufField[] {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const fields: ProtobufField[] = [];
  let at = 0;

  function readVarint(): bigint {
    let value = 0n;
    for (let index = 0; index < MOST_VARINT_BYTES; index++) {
      const [byte = 0] = take(1);
      value |= BigInt(byte & 0x7f) << BigInt(7 * index);
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw unreadable('a number does not end');
  }

  function take(length: number): Buffer {
    if (length > bytes.length - at) throw unreadable('it ends in the middle of a field');
    at += length;
    return bytes.subarray(at - length, at);
  }

  function readValue(wire: number): bigint | Uint8Array {
    switch (wire) {
      case WIRE.VARINT:
        return readVarint();
      case WIRE.BYTES:
        return take(Number(readVarint()));
      case WIRE.FIXED_64:
        return take(FIXED_64_BYTES);
      case WIRE.FIXED_32:
        return take(FIXED_32_BYTES);
      default:
        throw unreadable(`it has a field of the unknown type ${wire}`);
    }
  }

  while (at < bytes.length) {
    const tag = Number(readVarint());
    fields.push({ number: Math.floor(tag / 8), value: readValue(tag % 8) });
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

/** Every message a repeated field holds, taken apart. */
export function messagesOf(fields: readonly ProtobufField[], number: number): readonly (readonly ProtobufField[])[] {
  return bytesOf(fields, number).map(readFields);
}

/** The `map<string, string>` of a field. */
export function mapOf(fields: readonly ProtobufField[], number: number): Readonly<Record<string, string>> {
  return Object.fromEntries(messagesOf(fields, number).map((entry) => [textOf(entry, 1), textOf(entry, 2)]));
}

function bytesOf(fields: readonly ProtobufField[], number: number): readonly Uint8Array[] {
  return fields.flatMap((field) => (field.number === number && field.value instanceof Uint8Array ? [field.value] : []));
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest % 0x80) + 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return Buffer.from([...bytes, rest]);
}

function unreadable(reason: string): OperatorError {
  return new OperatorError('MESSAGE_INVALID', `Cannot read the answer of the container runtime: ${reason}`, {
    hint: 'Check that the endpoint belongs to a container runtime, and update the runtime.',
  });
}
