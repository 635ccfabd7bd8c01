import { isJsonArray, isJsonObject, type Json, type JsonObject } from '@fenestra/kernel';
import { applyJsonPatch } from '../../objects/json-patch.ts';
import { applyMergePatch } from '../../objects/merge-patch.ts';
import { PatchError } from '../../objects/patch-error.ts';
import { toJson } from '../../wire/json.ts';
import { invalidPatch, type Patch } from './read-patches.ts';

/** Applies the patches for one target in their order. Throws `CONFIG_INVALID` naming the file that does not fit. */
export function applyPatches(value: unknown, target: string, patches: readonly Patch[]): Json | undefined {
  const applicable = patches.filter((patch) => patch.target === target);
  return applicable.reduce<Json | undefined>(applyPatch, toJson(value));
}

function applyPatch(value: Json | undefined, { type, content, source }: Patch): Json | undefined {
  const patch = toJson(content);
  try {
    switch (type) {
      case 'merge':
        return applyMergePatch(value, patch);
      case 'strategic':
        return applyStrategicPatch(value, patch);
      case 'json':
        return applyJsonPatch(value ?? null, patch);
    }
  } catch (error) {
    throw error instanceof PatchError ? invalidPatch(source, error.message) : error;
  }
}

/**
 * Applies a strategic merge patch to a kubelet's configuration. None of its lists merges by a key, so this is a merge
 * patch with the directives `$patch` and `$retainKeys`.
 */
function applyStrategicPatch(value: Json | undefined, patch: Json): Json | undefined {
  if (!isJsonObject(patch)) throw new PatchError('it must be a mapping', false);
  const { $patch: directive = 'merge', $retainKeys: retained, ...rest } = patch;
  const unknown = Object.keys(rest).find((key) => key.startsWith('$'));
  if (unknown !== undefined) throw new PatchError(`it has the directive "${unknown}", which is not supported`, false);
  if (directive === 'delete') return undefined;
  if (directive === 'replace') return applyMergePatch({}, rest);
  if (directive !== 'merge') throw new PatchError('"$patch" must be "merge", "replace" or "delete"', false);
  const merged = new Map(Object.entries(retainedOf(value, retained)));
  for (const [key, part] of Object.entries(rest)) {
    const result = isJsonObject(part) ? applyStrategicPatch(merged.get(key), part) : (part ?? undefined);
    if (result === undefined) merged.delete(key);
    else merged.set(key, result);
  }
  return Object.fromEntries(merged);
}

/** With `$retainKeys`, fields that it does not list are removed. */
function retainedOf(value: Json | undefined, retained: Json | undefined): JsonObject {
  if (!isJsonObject(value)) return {};
  if (!isJsonArray(retained)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => retained.includes(key)));
}
