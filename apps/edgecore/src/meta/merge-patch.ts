import type { Json } from '@fenestra/kernel';
import { isJsonObject } from './kube-object.ts';

/** Applies a JSON merge patch (RFC 7386): objects merge, null removes, everything else replaces. */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isJsonObject(patch)) return patch;
  const merged = new Map<string, Json>(isJsonObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}
