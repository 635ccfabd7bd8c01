import { isMapping } from '../../config/reading/overlay.ts';

/** Lays a JSON merge patch over a value (RFC 7396): mappings are merged, `null` takes away, all else is replaced. */
export function mergePatch(value: unknown, patch: unknown): unknown {
  if (!isMapping(patch)) return patch;
  const merged = new Map(Object.entries(isMapping(value) ? value : {}));
  for (const [key, part] of Object.entries(patch)) {
    if (part === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), part));
  }
  return Object.fromEntries(merged);
}
