import { isJsonObject, type Json } from '@fenestra/kernel';

/** Applies a JSON merge patch: null removes, objects merge, everything else replaces. https://www.rfc-editor.org/rfc/rfc7396 */
export function applyMergePatch(target: Json | undefined, patch: Json): Json {
  if (!isJsonObject(patch)) return patch;
  const merged = new Map(Object.entries(isJsonObject(target) ? target : {}));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else if (value !== undefined) merged.set(key, applyMergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}
