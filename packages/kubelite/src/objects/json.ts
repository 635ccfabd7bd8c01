/** Any value JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. Objects are never changed in place: they are shared by the store, the watchers and the answers. */
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
export function arrayAt(value: Json | undefined, ...path: readonly string[]): readonly Json[] {
  const found = valueAt(value, ...path);
  return isJsonArray(found) ? found : [];
}

/** The string at a path, or an empty one. */
export function stringAt(value: Json | undefined, ...path: readonly string[]): string {
  const found = valueAt(value, ...path);
  return typeof found === 'string' ? found : '';
}

/** Whether two values are the same JSON, the order of keys aside. A key that is undefined counts as absent. */
export function sameJson(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (isJsonArray(left) && isJsonArray(right)) return sameArray(left, right);
  if (isJsonObject(left) && isJsonObject(right)) return sameObject(left, right);
  return false;
}

/** Text that is the same for all values that `sameJson` finds the same: a key for maps and sets. */
export function canonicalJson(value: Json | undefined): string {
  if (isJsonArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value ?? null);
  const fields = definedKeys(value).toSorted();
  return `{${fields.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join(',')}}`;
}

/** A copy of the object without one key. */
export function without(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

function sameArray(left: readonly Json[], right: readonly Json[]): boolean {
  return left.length === right.length && left.every((item, index) => sameJson(item, right[index]));
}

function sameObject(left: JsonObject, right: JsonObject): boolean {
  const keys = definedKeys(left);
  return keys.every((key) => sameJson(left[key], right[key])) && keys.length === definedKeys(right).length;
}

function definedKeys(object: JsonObject): readonly string[] {
  return Object.keys(object).filter((key) => object[key] !== undefined);
}
