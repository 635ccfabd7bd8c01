import { isJsonObject, stringAt, type JsonObject } from '@fenestra/kube-api';

/** A patch reduced to what a node may change through it: the status, of exactly the object it means. */
export function statusPatch(patch: JsonObject): JsonObject {
  const uid = stringAt(patch, 'metadata', 'uid');
  const status = patch['status'];
  return {
    ...(uid === '' ? {} : { metadata: { uid } }),
    ...(isJsonObject(status) ? { status } : {}),
  };
}
