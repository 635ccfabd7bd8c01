import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../objects/json.ts';
import { resolveSchema, type Definitions, type Schema } from './schema.ts';

/** A value without the fields its schema does not know, and the paths of the first of those. */
export interface Pruned {
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
