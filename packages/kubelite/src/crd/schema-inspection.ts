import { RE2JS } from 're2js';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../objects/json.ts';

/** What an inspected schema needs to check objects. */
export interface InspectedSchema {
  /** The patterns in it, compiled. */
  readonly patterns: ReadonlyMap<string, RE2JS>;
  /** How many steps it takes to compare a value with each schema in it. */
  readonly costs: ReadonlyMap<JsonObject, number>;
}

/** Inspects the schemas of one definition, which share their limits. */
export interface SchemaInspector {
  /** Throws for what Kubernetes forbids in a definition, for malformed keywords, and beyond the limits. */
  inspect(schema: JsonObject): InspectedSchema;
  /** What `inspect` throws, as text; undefined if the schema can be used. */
  faultOf(schema: JsonObject): string | undefined;
}

/** As many as the largest definitions in use have, several times over. */
const MAX_SCHEMAS = 20_000;
/** Characters, and instructions of the compiled patterns: to compile them takes up to 150 ms. */
const MAX_PATTERN_SIZE = 15_000;

const FORBIDDEN = ['$ref', 'additionalItems', 'definitions', 'dependencies', 'patternProperties', 'uniqueItems'];
const TYPES = new Set<Json>(['array', 'boolean', 'integer', 'number', 'object', 'string']);
const BRANCHES = ['allOf', 'anyOf', 'oneOf'] as const;

type Form = (value: Json) => boolean;
const isNumber: Form = (value) => typeof value === 'number';
const isCount: Form = (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0;
const isText: Form = (value) => typeof value === 'string';
const isBoolean: Form = (value) => typeof value === 'boolean';
const isBound: Form = (value) => isBoolean(value) || isNumber(value);
const isSchemaList: Form = (value) => isJsonArray(value) && value.length > 0 && value.every(isJsonObject);

const FORMS: ReadonlyMap<string, Form> = new Map([
  ['additionalProperties', (value) => isBoolean(value) || isJsonObject(value)],
  ...BRANCHES.map((name) => [name, isSchemaList] as const),
  ['enum', isJsonArray],
  ['exclusiveMaximum', isBound],
  ['exclusiveMinimum', isBound],
  ['format', isText],
  ['items', isJsonObject],
  ...['maxItems', 'maxLength', 'maxProperties', 'minItems', 'minLength', 'minProperties'].map(
    (name) => [name, isCount] as const,
  ),
  ['maximum', isNumber],
  ['minimum', isNumber],
  ['multipleOf', (value) => typeof value === 'number' && value > 0],
  ['not', isJsonObject],
  ['nullable', isBoolean],
  ['pattern', isText],
  ['properties', (value) => isJsonObject(value) && Object.values(value).every(isJsonObject)],
  ['required', (value) => isJsonArray(value) && value.every(isText)],
  ['type', (value) => TYPES.has(value)],
]);

/** An inspector with its limits unused. */
export function schemaInspector(): SchemaInspector {
  const patterns = new Map<string, RE2JS>();
  let left = MAX_SCHEMAS;
  let patternSize = 0;
  const compile = (pattern: string) => {
    if (patterns.has(pattern)) return;
    const tooLarge = () => {
      if (patternSize > MAX_PATTERN_SIZE)
        throw new Error(`the patterns of all versions have a size of more than ${MAX_PATTERN_SIZE}`);
    };
    patternSize += pattern.length;
    tooLarge();
    const compiled = RE2JS.compile(pattern);
    patternSize += compiled.programSize();
    tooLarge();
    patterns.set(pattern, compiled);
  };
  const visit = (schema: JsonObject, costs: Map<JsonObject, number>) => {
    left -= 1;
    if (left < 0) throw new Error(`all versions together have more than ${MAX_SCHEMAS} schemas`);
    requireForm(schema);
    if (typeof schema['pattern'] === 'string') compile(schema['pattern']);
    costs.set(schema, costOf(schema));
    for (const child of schemasIn(schema)) visit(child, costs);
  };
  const inspect = (schema: JsonObject): InspectedSchema => {
    const costs = new Map<JsonObject, number>();
    visit(schema, costs);
    return { patterns, costs };
  };
  return {
    inspect,
    faultOf(schema) {
      try {
        inspect(schema);
        return undefined;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
  };
}

function requireForm(schema: JsonObject): void {
  const forbidden = FORBIDDEN.find((name) => schema[name] !== undefined && schema[name] !== false);
  if (forbidden !== undefined) throw new Error(`"${forbidden}" is forbidden`);
  for (const [name, value] of Object.entries(schema))
    if (value !== undefined && FORMS.get(name)?.(value) === false) throw new Error(`"${name}" is malformed`);
}

const STEPS_PER_KEYWORD = 50;
const STEPS_PER_ENTRY = 5;

function costOf(schema: JsonObject): number {
  const entries = [schema['required'], schema['enum']].flatMap((list) => (isJsonArray(list) ? list.length : 0));
  const keywords = Object.keys(schema).length + 1;
  return entries.reduce((sum, length) => sum + length * STEPS_PER_ENTRY, keywords * STEPS_PER_KEYWORD);
}

function schemasIn(schema: JsonObject): readonly JsonObject[] {
  const { items, additionalProperties: others, not, properties } = schema;
  const named = isJsonObject(properties) ? Object.values(properties) : [];
  return [items, others, not, ...named, ...BRANCHES.flatMap((name) => schema[name])].filter(isJsonObject);
}
