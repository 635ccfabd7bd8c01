import { isJsonObject, objectAt, type Json, type JsonObject } from '../objects/json.ts';
import { stringsAt } from '../kinds/json.ts';
import type { Schema } from '../kinds/schema/schema.ts';

const FLAGS = [
  'nullable',
  'x-kubernetes-int-or-string',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
] as const;
const TEXTS = ['type', 'format', 'description', 'x-kubernetes-list-type'] as const;

/** The schema of a version of a definition. */
export function schemaOf(version: JsonObject): JsonObject {
  return objectAt(version, 'schema', 'openAPIV3Schema');
}

/** The structural part of an `openAPIV3Schema`: which fields there are, and how they are defaulted and merged. */
export function readSchema(schema: JsonObject): Schema {
  const required = stringsAt(schema, 'required');
  const keys = stringsAt(schema, 'x-kubernetes-list-map-keys');
  const { items, properties, additionalProperties: others, default: fallback } = schema;
  return {
    ...pick(schema, TEXTS, (value) => typeof value === 'string'),
    ...pick(schema, FLAGS, (value) => typeof value === 'boolean'),
    ...(required.length > 0 && { required }),
    ...(keys.length > 0 && { 'x-kubernetes-list-map-keys': keys }),
    ...(fallback !== undefined && { default: fallback }),
    ...(isJsonObject(items) && { items: readSchema(items) }),
    ...(isJsonObject(properties) && { properties: readProperties(properties) }),
    ...(isJsonObject(others) && { additionalProperties: readSchema(others) }),
    ...(typeof others === 'boolean' && { additionalProperties: others }),
  };
}

function readProperties(properties: JsonObject): Record<string, Schema> {
  return Object.fromEntries(Object.keys(properties).map((name) => [name, readSchema(objectAt(properties, name))]));
}

function pick<Name extends string, Value extends Json>(
  schema: JsonObject,
  names: readonly Name[],
  fits: (value: Json | undefined) => value is Value,
): Partial<Record<Name, Value>> {
  const picked: Partial<Record<Name, Value>> = {};
  for (const name of names) {
    const value = schema[name];
    if (fits(value)) picked[name] = value;
  }
  return picked;
}
