import { isMapping, type Mapping } from '../../config/reading/overlay.ts';
import { mergePatch } from './merge-patch.ts';

type Refuse = (reason: string) => Error;

/**
 * Lays a strategic merge patch over a kubelet's configuration. None of its lists is merged by a key, so this is a merge
 * patch with the directives `$patch` and `$retainKeys`.
 */
export function strategicPatch(value: unknown, patch: unknown, refuse: Refuse): unknown {
  if (!isMapping(patch)) throw refuse('it must be a mapping');
  return merge(value, patch, refuse);
}

function merge(value: unknown, patch: Mapping, refuse: Refuse): unknown {
  const { $patch: directive = 'merge', $retainKeys: retained, ...rest } = patch;
  const unknown = Object.keys(rest).find((key) => key.startsWith('$'));
  if (unknown !== undefined) throw refuse(`it has the directive "${unknown}", which nothing here can follow`);
  if (directive === 'delete') return undefined;
  if (directive === 'replace') return mergePatch({}, rest);
  if (directive !== 'merge') throw refuse('"$patch" must be "merge", "replace" or "delete"');
  return mergeKeys(retainedOf(value, retained), rest, refuse);
}

/** With `$retainKeys`, what is not listed goes. */
function retainedOf(value: unknown, retained: unknown): Mapping {
  if (!isMapping(value)) return {};
  if (!Array.isArray(retained)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => retained.includes(key)));
}

function mergeKeys(value: Mapping, patch: Mapping, refuse: Refuse): Mapping {
  const merged = new Map(Object.entries(value));
  for (const [key, part] of Object.entries(patch)) {
    const result = isMapping(part) ? merge(merged.get(key), part, refuse) : (part ?? undefined);
    if (result === undefined) merged.delete(key);
    else merged.set(key, result);
  }
  return Object.fromEntries(merged);
}
