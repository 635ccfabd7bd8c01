import { isJsonObject, type Json, type JsonObject } from '../../objects/json.ts';
import { badRequest } from '../../objects/statuses.ts';
import { FORMS } from './forms.ts';
import type { MessageField, MessageTables } from './read-tables.ts';
import { SCALARS } from './scalars.ts';
import { readPacked, readWire, type WireField } from './wire.ts';

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
export function decodeMessage(bytes: Buffer, type: string, tables: MessageTables): JsonObject {
  return readMessage(bytes, type, { tables, path: '', depth: 0 });
}

function readMessage(bytes: Buffer, type: string, place: Place): JsonObject {
  const fields = place.tables.messages.get(type);
  if (!fields || place.depth > MAX_DEPTH) throw unreadable(place.path, `messages of type ${type} are not read here`);
  const message = messageBuilder();
  for (const wire of readWire(bytes)) {
    const field = fields.get(wire.number);
    if (!field) throw unreadable(place.path, `its field number ${wire.number} (${simpleName(type)}) is unknown`);
    const inner = {
      ...place,
      path: field.inline ? place.path : dotted(place.path, field.name),
      depth: place.depth + 1,
    };
    for (const part of partsOf(wire, field)) message.add(field, readValue(part, field, inner), inner.path);
  }
  return message.build();
}

/** A list of numbers may come packed into one field. */
function partsOf(wire: WireField, { shape, type }: MessageField): Iterable<WireField> {
  const packed = shape === 'list' && wire.wire === 'bytes' && /^(?:bool|int32|int64)$/.test(type);
  return packed ? readPacked(wire.value, wire.number) : [wire];
}

function readValue(wire: WireField, field: MessageField, place: Place): Json | undefined {
  if (field.shape === 'map') return readEntry(wire, field.type, place);
  const value = readSingle(wire, field.type, place);
  const isZero = value === '' || value === 0 || value === false;
  return isZero && !field.keepZero && field.shape === 'single' && Object.hasOwn(SCALARS, field.type)
    ? undefined
    : value;
}

function readSingle(wire: WireField, type: string, place: Place): Json | undefined {
  const scalar = SCALARS[type];
  if (scalar) {
    const value = scalar(wire);
    if (value === undefined) throw unreadable(place.path, `its value is not a ${type} that JSON can carry`);
    return value;
  }
  if (wire.wire !== 'bytes') throw unreadable(place.path, `it is not a message`);
  const message = readMessage(wire.value, type, place);
  const form = FORMS[simpleName(type)];
  return form ? formed(form, message, place) : message;
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
function readEntry(wire: WireField, type: string, place: Place): JsonObject {
  if (wire.wire !== 'bytes') throw unreadable(place.path, 'it is not a map');
  const parts = new Map<number, WireField>();
  for (const part of readWire(wire.value)) {
    if (part.number > 2 || parts.has(part.number))
      throw unreadable(place.path, `field number ${part.number} of one of its entries is unknown or repeated`);
    parts.set(part.number, part);
  }
  const key = readSingle(parts.get(1) ?? empty(1), 'string', place);
  const name = typeof key === 'string' ? key : '';
  const value = readSingle(parts.get(2) ?? empty(2), type, { ...place, path: `${place.path}[${name}]` });
  return Object.fromEntries([[name, value]]);
}

function empty(number: number): WireField {
  return { number, wire: 'bytes', value: Buffer.alloc(0) };
}

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
