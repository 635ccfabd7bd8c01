/** Any value that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. A field that is undefined counts as absent. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** Whether a value is a JSON object, and neither an array nor null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a JSON array. */
export function isJsonArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The value at a path of keys, or undefined where the path ends early. */
export function valueAt(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  let current = value;
  for (const key of path) current = isJsonObject(current) ? current[key] : undefined;
  return current;
}

/** The object at a path, or an empty one. */
export function objectAt(value: Json | undefined, ...path: readonly string[]): JsonObject {
  const found = valueAt(value, ...path);
  return isJsonObject(found) ? found : {};
}

/** The array at a path, or an empty one. */
export function listAt(value: Json | undefined, ...path: readonly string[]): readonly Json[] {
  const found = valueAt(value, ...path);
  return isJsonArray(found) ? found : [];
}

/** The string at a path, or an empty one. */
export function stringAt(value: Json | undefined, ...path: readonly string[]): string {
  const found = valueAt(value, ...path);
  return typeof found === 'string' ? found : '';
}

/** Whether two values are the same JSON, the order of keys aside. */
export function sameJson(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (isJsonArray(left) && isJsonArray(right)) return sameArray(left, right);
  if (isJsonObject(left) && isJsonObject(right)) return sameObject(left, right);
  return false;
}

function sameArray(left: readonly Json[], right: readonly Json[]): boolean {
  return left.length === right.length && left.every((item, index) => sameJson(item, right[index]));
}

function sameObject(left: JsonObject, right: JsonObject): boolean {
  const keys = definedKeys(left);
  return keys.every((key) => sameJson(left[key], right[key])) && keys.length === definedKeys(right).length;
}

/** The fields of an object that are present. */
export function definedKeys(object: JsonObject): readonly string[] {
  return Object.keys(object).filter((key) => object[key] !== undefined);
}

/** Text that is the same for all values that `sameJson` finds the same: a key for maps and sets. */
export function canonicalJson(value: Json | undefined): string {
  if (isJsonArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value ?? null);
  const fields = definedKeys(value).toSorted();
  return `{${fields.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join(',')}}`;
}
