import { isJsonObject, stringAt, type JsonObject } from '@fenestra/kube-api';

// Who may use which claim is not for a node to decide.
const CLAIMS: ReadonlySet<string> = new Set(['extendedResourceClaimStatus', 'resourceClaimStatuses']);
/** Directives of a strategic merge patch that remove fields which the patch does not name. */
const REMOVALS: ReadonlySet<string> = new Set(['$patch', '$retainKeys']);

/** The part of a status that a node may report. */
export function reportedStatus(status: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(status).filter(([key]) => !REMOVALS.has(key) && !CLAIMS.has(fieldOf(key))));
}

/** The field that a key of a patch is about: a directive such as `$setElementOrder/conditions` names one. */
function fieldOf(key: string): string {
  return key.startsWith('$') ? key.slice(key.indexOf('/') + 1) : key;
}

/** A patch reduced to what a node may change through it: the status, of exactly the object it means. */
export function statusPatch(patch: JsonObject): JsonObject {
  const uid = stringAt(patch, 'metadata', 'uid');
  const status = patch['status'];
  return {
    ...(uid === '' ? {} : { metadata: { uid } }),
    ...(isJsonObject(status) ? { status: reportedStatus(status) } : {}),
  };
}
