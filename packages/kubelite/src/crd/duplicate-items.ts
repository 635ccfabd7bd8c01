import { canonicalJson, isJsonArray, isJsonObject, type Json, type JsonObject } from '../objects/json.ts';
import type { FieldProblem } from '../objects/status-error.ts';
import type { Schema } from '../kinds/schema/schema.ts';
import { duplicateField } from '../kinds/problems.ts';

/** As many as are listed of other problems. */
const MAX_PROBLEMS = 50;

/** Items of lists of the types `set` and `map` that equal an earlier one, or have the same keys. */
export function duplicateItems(object: JsonObject, schema: Schema): readonly FieldProblem[] {
  const found: FieldProblem[] = [];
  collect(object, schema, '', found);
  return found;
}

function collect(value: Json, schema: Schema, field: string, found: FieldProblem[]): void {
  if (found.length >= MAX_PROBLEMS) return;
  if (isJsonArray(value)) collectFromList(value, schema, field, found);
  else if (isJsonObject(value)) collectFromObject(value, schema, field, found);
}

function collectFromObject(object: JsonObject, schema: Schema, field: string, found: FieldProblem[]): void {
  const { properties = {}, additionalProperties: others } = schema;
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue;
    if (Object.hasOwn(properties, name))
      collect(value, properties[name] ?? {}, field === '' ? name : `${field}.${name}`, found);
    else if (typeof others === 'object') collect(value, others, `${field}[${name}]`, found);
  }
}

function collectFromList(list: readonly Json[], schema: Schema, field: string, found: FieldProblem[]): void {
  const identify = identityOf(schema);
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    if (found.length >= MAX_PROBLEMS) return;
    const identity = identify?.(item);
    const text = identity === undefined ? '' : canonicalJson(identity);
    if (identity !== undefined && seen.has(text)) found.push(duplicateField(`${field}[${index}]`, identity));
    seen.add(text);
    if (schema.items) collect(item, schema.items, `${field}[${index}]`, found);
  }
}

/** What no two items of the list may share; undefined for a list that may hold anything twice. */
function identityOf(schema: Schema): ((item: Json) => Json | undefined) | undefined {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (schema['x-kubernetes-list-type'] === 'set') return (item) => item;
  if (schema['x-kubernetes-list-type'] !== 'map') return undefined;
  return (item) => (isJsonObject(item) ? keysOf(item, keys) : undefined);
}

function keysOf(item: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.flatMap((key) => (item[key] === undefined ? [] : [[key, item[key]]])));
}
