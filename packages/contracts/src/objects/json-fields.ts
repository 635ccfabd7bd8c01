import { isJsonObject, listAt, valueAt, type Json, type JsonObject } from '@fenestra/kernel';

/** The number at a path, or zero. */
export function numberAt(value: Json | undefined, ...path: readonly string[]): number {
  const found = valueAt(value, ...path);
  return typeof found === 'number' ? found : 0;
}

/** The strings of the array at a path. */
export function stringsAt(value: Json | undefined, ...path: readonly string[]): readonly string[] {
  return listAt(value, ...path).filter((item) => typeof item === 'string');
}

/** The objects of the array at a path. */
export function objectsAt(value: Json | undefined, ...path: readonly string[]): readonly JsonObject[] {
  return listAt(value, ...path).filter(isJsonObject);
}

/** A copy with the fields that are absent or null set. */
export function withDefaults(object: JsonObject, defaults: JsonObject): JsonObject {
  const missing = Object.entries(defaults).filter(([name]) => object[name] === undefined || object[name] === null);
  return missing.length === 0 ? object : { ...object, ...Object.fromEntries(missing) };
}

/** A copy with each object of a list field changed. A field that is no list stays as it is. */
export function withEach(object: JsonObject, field: string, change: (item: JsonObject) => JsonObject): JsonObject {
  const list = object[field];
  if (!Array.isArray(list)) return object;
  return { ...object, [field]: listAt(object, field).map((item) => (isJsonObject(item) ? change(item) : item)) };
}

/** A copy with one object field changed, if it is there. */
export function withObject(object: JsonObject, field: string, change: (value: JsonObject) => JsonObject): JsonObject {
  const value = object[field];
  return isJsonObject(value) ? { ...object, [field]: change(value) } : object;
}
