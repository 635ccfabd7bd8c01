import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { isJsonObject, type Json, type JsonObject } from '../../objects/json.ts';
import { badRequest } from '../../objects/status-error.ts';
import { FORMS, type MessageField, type MessageTables } from './read-tables.ts';

// A schema of a CustomResourceDefinition nests two messages for each list.
const MAX_DEPTH = 200;

/** Which part of a body is read. */
interface Place {
  readonly tables: MessageTables;
  /** Dotted, for errors; empty for the object itself. */
  readonly path: string;
  readonly depth: number;
}

/** A message as the JSON that Kubernetes makes of it. Throws 400 for anything that would be lost: unknown fields too. */
export function decodeMessage(bytes: Uint8Array, type: string, tables: MessageTables): JsonObject {
  return readMessage(bytes, type, { tables, path: '', depth: 0 });
}

function readMessage(bytes: Uint8Array, type: string, place: Place): JsonObject {
  const fields = place.tables.messages.get(type);
  if (!fields || place.depth > MAX_DEPTH) throw unreadable(place.path, `messages of type ${type} are not read here`);
  const message = messageBuilder();
  for (const { number, wire, reader } of fieldsIn(bytes)) {
    const field = fields.get(number);
    if (!field) throw unreadable(place.path, `its field number ${number} (${simpleName(type)}) is unknown`);
    const path = field.inline ? place.path : dotted(place.path, field.name);
    const inner = { ...place, path, depth: place.depth + 1 };
    if (!isPacked(wire, field)) message.add(field, readValue(reader, wire, field, inner), path);
    else for (const item of readPacked(reader, field.type, inner)) message.add(field, item, path);
  }
  return message.build();
}

/** A list of numbers may come packed into one field. */
function isPacked(wire: WireType, { shape, type }: MessageField): boolean {
  return shape === 'list' && wire === WireType.LengthDelimited && SCALARS[type]?.wire === WireType.Varint;
}

function* readPacked(reader: BinaryReader, type: string, place: Place): Generator<Json | undefined> {
  const packed = new BinaryReader(wellFormed(() => reader.bytes()));
  while (packed.pos < packed.len) yield readSingle(packed, WireType.Varint, type, place);
}

function readValue(reader: BinaryReader, wire: WireType, field: MessageField, place: Place): Json | undefined {
  if (field.shape === 'map') return readEntry(reader, wire, field.type, place);
  const value = readSingle(reader, wire, field.type, place);
  const isZero = value === '' || value === 0 || value === false;
  return isZero && !field.keepZero && field.shape === 'single' && Object.hasOwn(SCALARS, field.type)
    ? undefined
    : value;
}

function readSingle(reader: BinaryReader, wire: WireType, type: string, place: Place): Json | undefined {
  const scalar = SCALARS[type];
  if (scalar) {
    const value = wire === scalar.wire ? readScalar(reader, scalar) : undefined;
    if (value === undefined) throw unreadable(place.path, `its value is not a ${type} that JSON can carry`);
    return value;
  }
  if (wire !== WireType.LengthDelimited) throw unreadable(place.path, `it is not a message`);
  const message = readMessage(
    wellFormed(() => reader.bytes()),
    type,
    place,
  );
  const form = FORMS[simpleName(type)];
  return form ? formed(form, message, place) : message;
}

function readScalar(reader: BinaryReader, scalar: Scalar): Json | undefined {
  try {
    return scalar.read(reader);
  } catch {
    return undefined;
  }
}

function formed(
  form: (message: JsonObject) => Json | undefined,
  message: JsonObject,
  { path }: Place,
): Json | undefined {
  try {
    return form(message);
  } catch (cause) {
    throw unreadable(path, cause instanceof RangeError ? 'its time is out of range' : 'its bytes are not JSON');
  }
}

/** One entry of a map is a message: 1 is the key, 2 the value. */
function readEntry(reader: BinaryReader, wire: WireType, type: string, place: Place): JsonObject {
  if (wire !== WireType.LengthDelimited) throw unreadable(place.path, 'it is not a map');
  const parts = new Map<number, EntryPart>();
  for (const { number, wire: partWire, reader: entry } of fieldsIn(wellFormed(() => reader.bytes()))) {
    if (number > 2 || parts.has(number))
      throw unreadable(place.path, `field number ${number} of one of its entries is unknown or repeated`);
    parts.set(number, { wire: partWire, bytes: wellFormed(() => entry.skip(partWire, number)) });
  }
  const read = (number: number, partType: string, path: string) => {
    const part = parts.get(number) ?? EMPTY;
    return readSingle(new BinaryReader(part.bytes), part.wire, partType, { ...place, path });
  };
  const key = read(1, 'string', place.path);
  const name = typeof key === 'string' ? key : '';
  return Object.fromEntries([[name, read(2, type, `${place.path}[${name}]`)]]);
}

interface EntryPart {
  readonly wire: WireType;
  readonly bytes: Uint8Array;
}

const EMPTY: EntryPart = { wire: WireType.LengthDelimited, bytes: Uint8Array.of(0) };

/** Puts a message together. Lists and maps come item by item. */
function messageBuilder() {
  const values = new Map<string, Json>();
  const lists = new Map<string, Json[]>();
  const entries = new Map<string, JsonObject[]>();
  const single = new Set<MessageField>();
  return {
    add(field: MessageField, value: Json | undefined, path: string) {
      if (field.shape === 'single' && single.size === single.add(field).size)
        throw unreadable(path, 'it is there more than once');
      if (value === undefined) return;
      if (field.shape === 'list') append(lists, field.name, value);
      else if (field.shape === 'map' && isJsonObject(value)) append(entries, field.name, value);
      else if (!field.inline) values.set(field.name, value);
      else if (isJsonObject(value))
        for (const [name, part] of Object.entries(value)) if (part !== undefined) values.set(name, part);
    },
    build(): JsonObject {
      const maps = [...entries].map(([name, parts]) => [name, Object.fromEntries(parts.flatMap(Object.entries))]);
      return Object.fromEntries([...values, ...lists, ...maps]);
    },
  };
}

function append<T>(lists: Map<string, T[]>, name: string, value: T): void {
  const list = lists.get(name);
  if (list) list.push(value);
  else lists.set(name, [value]);
}

function unreadable(path: string, why: string): Error {
  return badRequest(`cannot read ${path === '' ? 'the object' : `field "${path}"`} of the protobuf body: ${why}`);
}

function dotted(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function simpleName(type: string): string {
  return type.slice(type.lastIndexOf('.') + 1);
}

/** A field whose value comes next in the reader. */
interface WireField {
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
interface Scalar {
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
