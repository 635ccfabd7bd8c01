import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../objects/json.ts';
import { type Definitions, resolveSchema, type Schema } from './schema.ts';

const INT32 = 2 ** 31;

/** The first value of another JSON type than its field has, in the words of Kubernetes; undefined if all fit. */
export function findTypeMismatch(
  value: Json,
  root: Schema,
  definitions: Definitions,
  kind: string,
): string | undefined {
  return mismatch(value, { schema: root, definitions, path: kind });
}

interface TypedPlace {
  readonly schema: Schema;
  readonly definitions: Definitions;
  readonly path: string;
}

function mismatch(value: Json, place: TypedPlace): string | undefined {
  const schema = resolveSchema(place.schema, place.definitions);
  if (value === null || schema['x-kubernetes-preserve-unknown-fields'] === true) return undefined;
  if (!fits(value, schema)) {
    return `json: cannot unmarshal ${jsonTypeOf(value)} into Go struct field ${place.path} of type ${schema.type ?? 'object'}`;
  }
  return inside(value, schema, place);
}

function inside(value: Json, schema: Schema, place: TypedPlace): string | undefined {
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

/** A value without the fields its schema does not know, and the paths of the first of those. */
interface Pruned {
  readonly value: Json;
  readonly unknown: readonly string[];
}

/** As many as Kubernetes names. */
const MAX_UNKNOWN = 100;
const MAX_PATH = 1_000;

/** Drops every field the schema does not know. */
export function pruneUnknown(value: Json, schema: Schema, definitions: Definitions): Pruned {
  const unknown: string[] = [];
  return { value: prune(value, { schema, definitions, path: '', unknown }), unknown };
}

interface Place {
  readonly schema: Schema;
  readonly definitions: Definitions;
  readonly path: string;
  readonly unknown: string[];
}

// Every embedded resource has these, whether its schema says so or not.
const RESOURCE_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

function prune(value: Json, place: Place): Json {
  const schema = resolveSchema(place.schema, place.definitions);
  if (isJsonArray(value)) return pruneList(value, schema, place);
  return isJsonObject(value) ? pruneObject(value, schema, place) : value;
}

function pruneList(list: readonly Json[], { items }: Schema, place: Place): Json {
  if (items === undefined) return list;
  return list.map((item, index) => prune(item, { ...place, schema: items, path: `${place.path}[${index}]` }));
}

function pruneObject(object: JsonObject, schema: Schema, place: Place): JsonObject {
  const kept: [string, Json][] = [];
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue;
    const path = place.path === '' ? name : `${place.path}.${name}`;
    const field = fieldSchema(schema, name);
    if (field !== undefined) kept.push([name, prune(value, { ...place, schema: field, path })]);
    else if (keepsField(schema, name)) kept.push([name, value]);
    else if (place.unknown.length < MAX_UNKNOWN) place.unknown.push(path.slice(0, MAX_PATH));
  }
  // Not assigned one by one: a key may be "__proto__".
  return Object.fromEntries(kept);
}

function fieldSchema(schema: Schema, name: string): Schema | undefined {
  const properties = schema.properties ?? {};
  if (Object.hasOwn(properties, name)) return properties[name];
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}

function keepsField(schema: Schema, name: string): boolean {
  if (schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true) return true;
  return schema['x-kubernetes-embedded-resource'] === true && RESOURCE_FIELDS.has(name);
}
