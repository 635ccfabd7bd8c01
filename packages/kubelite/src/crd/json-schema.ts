import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../objects/json.ts';

const SCHEMA_LISTS = new Set(['allOf', 'anyOf', 'oneOf']);
const SCHEMA_MAPS = new Set(['properties', 'patternProperties', 'definitions']);
const SCHEMAS = new Set(['items', 'additionalProperties', 'not']);

/** An OpenAPI 3.0 schema as the JSON Schema it means: exclusive bounds are numbers there, and int-or-string is two types. */
export function toJsonSchema(schema: JsonObject): JsonObject {
  const converted: Record<string, Json> = {};
  for (const [name, value] of Object.entries(schema)) {
    if (value !== undefined && name !== 'default') converted[name] = convertKeyword(name, value);
  }
  if (converted['x-kubernetes-int-or-string'] === true) converted['type'] = ['integer', 'string'];
  exclusive(converted, 'minimum', 'exclusiveMinimum');
  exclusive(converted, 'maximum', 'exclusiveMaximum');
  // The checker takes "nullable" only beside a type; without one, null is allowed anyway.
  if (converted['type'] === undefined || isJsonArray(converted['type'])) delete converted['nullable'];
  return converted;
}

function convertKeyword(name: string, value: Json): Json {
  if (SCHEMA_LISTS.has(name) && isJsonArray(value)) return value.map((item) => convertSchema(item));
  if (SCHEMA_MAPS.has(name) && isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, convertSchema(child ?? true)]));
  }
  return SCHEMAS.has(name) ? convertSchema(value) : value;
}

function convertSchema(value: Json): Json {
  return isJsonObject(value) ? toJsonSchema(value) : value;
}

function exclusive(schema: Record<string, Json>, bound: string, flag: string): void {
  if (typeof schema[flag] !== 'boolean') return;
  const limit = schema[bound];
  if (schema[flag] && typeof limit === 'number') {
    schema[flag] = limit;
    delete schema[bound];
  } else delete schema[flag];
}
