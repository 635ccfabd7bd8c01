import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../objects/json.ts';
import { badRequest } from '../../objects/statuses.ts';
import type { MessageField, MessageTable } from './read-fields.ts';
import { SCALARS } from './scalars.ts';
import { readWire } from './wire.ts';

const MAX_DEPTH = 40;

/** A message as the JSON that Kubernetes would make of it. Fields nobody knows are left out, as newer ones always are. */
export function decodeMessage(bytes: Buffer, type: string, table: MessageTable, depth = 0): JsonObject {
  const fields = table.get(type);
  if (!fields || depth > MAX_DEPTH) throw badRequest(`the embedded API does not read "${type}" as protobuf`);
  const result = new Map<string, Json>();
  for (const { number, value } of readWire(bytes)) {
    const field = fields.get(number);
    if (!field) continue;
    const decoded = decodeValue(value, field, (inner, innerType) => decodeMessage(inner, innerType, table, depth + 1));
    if (decoded !== undefined) place(result, field, decoded);
  }
  return Object.fromEntries(result);
}

type DecodeInner = (bytes: Buffer, type: string) => JsonObject;

function decodeValue(value: Buffer | bigint, field: MessageField, inner: DecodeInner): Json | undefined {
  if (field.shape === 'map') return decodeEntry(value, field.type, inner);
  const decoded = decodeSingle(value, field.type, inner);
  const zero = decoded === '' || decoded === 0 || decoded === false;
  return zero && !field.keepZero && field.shape === 'single' ? undefined : decoded;
}

function decodeSingle(value: Buffer | bigint, type: string, inner: DecodeInner): Json | undefined {
  const scalar = SCALARS[type];
  if (scalar) return scalar(value);
  if (typeof value === 'bigint') throw badRequest('a field of the request has the wrong type');
  return inner(value, type);
}

/** One entry of a map is a message of its own: 1 is the key, 2 the value. */
function decodeEntry(value: Buffer | bigint, type: string, inner: DecodeInner): JsonObject {
  if (typeof value === 'bigint') throw badRequest('a field of the request has the wrong type');
  const parts = new Map([...readWire(value)].map((field) => [field.number, field.value]));
  const key = parts.get(1) ?? '';
  const content = decodeSingle(parts.get(2) ?? Buffer.alloc(0), type, inner);
  return Object.fromEntries([[key.toString(), content]]);
}

function place(result: Map<string, Json>, field: MessageField, value: Json): void {
  const before = result.get(field.name);
  if (field.shape === 'list') result.set(field.name, [...(isJsonArray(before) ? before : []), value]);
  else if (field.shape === 'map')
    result.set(field.name, { ...(isJsonObject(before) ? before : {}), ...(isJsonObject(value) ? value : {}) });
  else if (!field.inline) result.set(field.name, value);
  else if (isJsonObject(value))
    for (const [key, part] of Object.entries(value)) if (part !== undefined) result.set(key, part);
}
