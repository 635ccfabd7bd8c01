import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../objects/json.ts';

/** The keyword that says how many steps a schema costs at each value. */
export const COST = 'x-fenestra-cost';

const SCHEMA_LISTS = new Set(['allOf', 'anyOf', 'oneOf']);
const COMBINING = new Set([...SCHEMA_LISTS, 'not']);
const SCHEMAS = new Set(['items', 'additionalProperties', 'not']);
const PLAIN = [
  'enum',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'format',
  'maxItems',
  'maxLength',
  'maxProperties',
  'maximum',
  'minItems',
  'minLength',
  'minProperties',
  'minimum',
  'multipleOf',
  'nullable',
  'pattern',
  'required',
  'type',
];
const ENFORCED = new Set([...SCHEMA_LISTS, ...SCHEMAS, ...PLAIN, 'properties']);
const FORBIDDEN = ['$ref', 'additionalItems', 'definitions', 'dependencies', 'patternProperties', 'uniqueItems'];
/** As many as the largest definitions in use have, several times over. */
const MAX_SCHEMAS = 20_000;

/**
 * An OpenAPI 3.0 schema as the JSON Schema it means: exclusive bounds are numbers there, and int-or-string is two types.
 * Throws for what Kubernetes forbids in a definition, and for a schema that is too large to compile.
 */
export function toJsonSchema(schema: JsonObject): JsonObject {
  let count = 0;
  return convert(schema, () => {
    count += 1;
    if (count > MAX_SCHEMAS) throw new Error(`has more than ${MAX_SCHEMAS} schemas in it`);
  });
}

function convert(schema: JsonObject, count: () => void): JsonObject {
  count();
  const forbidden = FORBIDDEN.find((name) => schema[name] !== undefined && schema[name] !== false);
  if (forbidden !== undefined) throw new Error(`"${forbidden}" is forbidden`);
  const converted: Record<string, Json> = {};
  for (const [name, value] of Object.entries(schema)) {
    if (value !== undefined && ENFORCED.has(name)) converted[name] = convertKeyword(name, value, count);
  }
  if (schema['x-kubernetes-int-or-string'] === true) converted['type'] = ['integer', 'string'];
  exclusive(converted, 'minimum', 'exclusiveMinimum');
  exclusive(converted, 'maximum', 'exclusiveMaximum');
  // The checker takes "nullable" only beside a type; without one, null is allowed anyway.
  if (converted['type'] === undefined) delete converted['nullable'];
  const cost = Object.values(converted).reduce((sum: number, value) => sum + partsOf(value), 1);
  return { ...withoutNull(converted), [COST]: cost };
}

/** Kubernetes checks the type and the enum of null, and nothing that combines other schemas. */
function withoutNull(schema: Record<string, Json>): JsonObject {
  const combining = Object.keys(schema).filter((name) => COMBINING.has(name));
  if (combining.length === 0 || (schema['type'] !== undefined && schema['nullable'] !== true)) return schema;
  const pick = (wanted: boolean) => Object.entries(schema).filter(([name]) => COMBINING.has(name) === wanted);
  return { ...Object.fromEntries(pick(false)), if: { type: 'null' }, else: Object.fromEntries(pick(true)) };
}

function partsOf(value: Json): number {
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 1;
}

function convertKeyword(name: string, value: Json, count: () => void): Json {
  const child = (item: Json) => (isJsonObject(item) ? convert(item, count) : item);
  if (SCHEMA_LISTS.has(name) && isJsonArray(value)) return value.map(child);
  if (name === 'properties' && isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, child(item ?? true)]));
  return SCHEMAS.has(name) ? child(value) : value;
}

function exclusive(schema: Record<string, Json>, bound: string, flag: string): void {
  if (typeof schema[flag] !== 'boolean') return;
  const limit = schema[bound];
  if (schema[flag] && typeof limit === 'number') {
    schema[flag] = limit;
    delete schema[bound];
  } else delete schema[flag];
}
