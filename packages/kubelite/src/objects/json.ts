import { definedKeys, isJsonArray, isJsonObject, type Json, type JsonObject } from '@fenestra/kernel';

export { numberAt, objectsAt, stringsAt, withDefaults, withEach } from '@fenestra/contracts/objects';

// Objects are never changed in place: the store, the watchers and the answers share them.
export {
  isJsonArray,
  isJsonObject,
  listAt,
  objectAt,
  sameJson,
  stringAt,
  valueAt,
  type Json,
  type JsonObject,
} from '@fenestra/kernel';

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
