import type { JsonObject } from '@fenestra/kernel';

export { numberAt, objectsAt, stringsAt, withDefaults, withEach } from '@fenestra/contracts/objects';

// Objects are never changed in place: the store, the watchers and the answers share them.
export {
  canonicalJson,
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

/** A copy of the object without one key. */
export function without(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}
