import { applyJsonPatch, applyMergePatch, PatchError } from '@fenestra/contracts/objects';
import { parseDraft } from '../objects/draft.ts';
import { isJsonObject, type Json } from '../objects/json.ts';
import type { KubeObject, ObjectDraft } from '../objects/kube-object.ts';
import type { ResourceKind } from '../objects/resource-kind.ts';
import { badRequest, StatusError, unsupportedMediaType } from '../objects/status-error.ts';
import { applyShapes } from '../objects/writes/environment.ts';
import { builtInListShape } from '../patch/list-shape.ts';
import { applyStrategicMergePatch } from '../patch/strategic-merge-patch.ts';

/** The media type of server-side apply. */
export const APPLY_TYPE = 'application/apply-patch+yaml';

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC_PATCH = 'application/strategic-merge-patch+json';

/** The media types a kind can be patched with. */
export function patchTypesOf(kind: ResourceKind): readonly string[] {
  const common = [JSON_PATCH, MERGE_PATCH, APPLY_TYPE];
  return kind.strategicMerge ? [...common, STRATEGIC_PATCH] : common;
}

/** The object with the patch applied. Throws 400, 415 or 422. */
export function patched(kind: ResourceKind, current: KubeObject, type: string, patch: Json): ObjectDraft {
  return parseDraft(
    refusingPatch(() => applyPatch(kind, current, type, patch)),
    kind,
  );
}

/** Does the work of a patch. A `PatchError` becomes 400 or 422. */
export function refusingPatch<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    if (!error.wellFormed) throw badRequest(error.message);
    const message = `the server rejected our request due to an error in our request: ${error.message}`;
    throw new StatusError(422, 'Invalid', message, {});
  }
}

function applyPatch(kind: ResourceKind, current: KubeObject, type: string, patch: Json): Json {
  switch (type) {
    case JSON_PATCH:
      return applyJsonPatch(current, patch);
    case MERGE_PATCH:
      return applyMergePatch(current, requireObject(patch));
    case STRATEGIC_PATCH:
      return applyStrategicMergePatch(current, requireObject(patch), strategicShapes(kind));
    default:
      throw unsupportedMediaType(patchTypesOf(kind));
  }
}

/** Strategic merge has keys for lists that server-side apply takes as a whole, such as the host IPs of a pod: those come first. */
function strategicShapes(kind: ResourceKind): typeof builtInListShape {
  const applied = applyShapes(kind);
  return (path) => {
    const known = builtInListShape(path);
    return known.type === 'atomic' ? applied(path) : known;
  };
}

function requireObject(patch: Json): Exclude<Json, boolean | null | number | string | readonly Json[]> {
  if (!isJsonObject(patch)) throw badRequest('a merge patch is an object');
  return patch;
}
