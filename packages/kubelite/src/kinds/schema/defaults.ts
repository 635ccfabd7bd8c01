import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../objects/json.ts';
import type { Schema } from './schema.ts';

/** A copy with the defaults a schema names, for fields that are missing, or null where null is not allowed. */
export function withSchemaDefaults(value: Json, schema: Schema): Json {
  const { items } = schema;
  if (isJsonArray(value)) return items === undefined ? value : value.map((item) => withSchemaDefaults(item, items));
  return isJsonObject(value) ? defaultObject(value, schema) : value;
}

function defaultObject(object: JsonObject, schema: Schema): JsonObject {
  const result = new Map(Object.entries(object));
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const given = result.get(name);
    const value = given ?? (given === null && field.nullable === true ? null : field.default);
    if (value === undefined) result.delete(name);
    else result.set(name, withSchemaDefaults(value, field));
  }
  const others = schema.additionalProperties;
  const filled = Object.fromEntries(result);
  return typeof others === 'object' ? defaultOthers(filled, schema, others) : filled;
}

function defaultOthers(object: Readonly<JsonObject>, schema: Schema, others: Schema): JsonObject {
  const properties = schema.properties ?? {};
  const entries = Object.entries(object).map(([name, value]) =>
    value === undefined || Object.hasOwn(properties, name) ? [name, value] : [name, withSchemaDefaults(value, others)],
  );
  return Object.fromEntries(entries);
}
