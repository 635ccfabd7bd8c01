import { isJsonArray, isJsonObject, type Json } from '../../objects/json.ts';
import { resolveSchema, type Definitions, type Schema } from './schema.ts';

const INT32 = 2 ** 31;

/** The first value of another JSON type than its field has, told as Kubernetes tells it; undefined if all fit. */
export function findTypeMismatch(
  value: Json,
  root: Schema,
  definitions: Definitions,
  kind: string,
): string | undefined {
  return mismatch(value, { schema: root, definitions, path: kind });
}

interface Place {
  readonly schema: Schema;
  readonly definitions: Definitions;
  readonly path: string;
}

function mismatch(value: Json, place: Place): string | undefined {
  const schema = resolveSchema(place.schema, place.definitions);
  if (value === null || schema['x-kubernetes-preserve-unknown-fields'] === true) return undefined;
  if (!fits(value, schema)) {
    return `json: cannot unmarshal ${jsonTypeOf(value)} into Go struct field ${place.path} of type ${schema.type ?? 'object'}`;
  }
  return inside(value, schema, place);
}

function inside(value: Json, schema: Schema, place: Place): string | undefined {
  for (const [field, path, child] of childrenOf(value, schema, place.path)) {
    const found = mismatch(child, { ...place, schema: field, path });
    if (found !== undefined) return found;
  }
  return undefined;
}

function* childrenOf(value: Json, schema: Schema, path: string): Generator<readonly [Schema, string, Json]> {
  const { items, properties = {}, additionalProperties: others } = schema;
  if (isJsonArray(value) && items) for (const item of value) yield [items, path, item];
  if (!isJsonObject(value)) return;
  for (const [name, child] of Object.entries(value)) {
    const field = Object.hasOwn(properties, name) ? properties[name] : others;
    if (child !== undefined && typeof field === 'object') yield [field, `${path}.${name}`, child];
  }
}

function fits(value: Json, schema: Schema): boolean {
  if (schema['x-kubernetes-int-or-string'] === true) return typeof value === 'string' || typeof value === 'number';
  const type = jsonTypeOf(value);
  if (schema.type === 'integer') return isInteger(value, schema.format);
  return schema.type === undefined || schema.type === type || (schema.type === 'boolean' && type === 'bool');
}

/** Larger numbers than a double can hold exactly are refused: they would be stored rounded. */
function isInteger(value: Json, format: string | undefined): boolean {
  if (format !== 'int32') return Number.isSafeInteger(value);
  return Number.isInteger(value) && Number(value) >= -INT32 && Number(value) < INT32;
}

/** Go's word for a JSON type. */
function jsonTypeOf(value: Json): string {
  if (isJsonArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
