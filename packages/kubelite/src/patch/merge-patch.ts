import { isJsonObject, type Json, type JsonObject } from '../objects/json.ts';

/** Applies a JSON merge patch: null removes, objects merge, everything else replaces. https://www.rfc-editor.org/rfc/rfc7386 */
export function applyMergePatch(target: Json | undefined, patch: Json): Json {
  if (!isJsonObject(patch)) return patch;
  const merged = new Map<string, Json | undefined>(Object.entries(isJsonObject(target) ? target : {}));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else if (value !== undefined) merged.set(key, applyMergePatch(merged.get(key), value));
  }
  return objectFrom(merged);
}

/** An object from its entries; `__proto__` stays an ordinary key. */
export function objectFrom(entries: Iterable<readonly [string, Json | undefined]>): JsonObject {
  return Object.fromEntries(entries);
}
