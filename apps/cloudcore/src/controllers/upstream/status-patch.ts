import { isJsonObject, stringAt, type JsonObject } from '@fenestra/kube-api';

// Who may use which claim is not for a node to decide.
const CLAIMS: ReadonlySet<string> = new Set(['extendedResourceClaimStatus', 'resourceClaimStatuses']);

/** The part of a status that a node may report. */
export function reportedStatus(status: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(status).filter(([field]) => !CLAIMS.has(field)));
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
