import type { StoredRef } from '../../store/object-rows.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import type { KubeObject } from '../kube-object.ts';
import { FOREGROUND_FINALIZER } from '../writes/delete-object.ts';

// Bounds the work for one object. What is nested deeper is treated as a circle: then an owner may go before its dependents.
const MOST_VISITED = 200;

/** Whether the dependent keeps its owner from going. One that waits for that same owner does not: both would stay for ever. */
export function blocks(store: ObjectStore, ref: StoredRef, owner: string): boolean {
  const dependent = store.get(ref);
  const owners = dependent?.metadata.ownerReferences ?? [];
  if (!dependent || !owners.some(({ uid, blockOwnerDeletion }) => uid === owner && blockOwnerDeletion)) return false;
  return !waitsFor(store, dependent, owner);
}

/** Whether the deletion of an object waits, through its dependents and theirs, for the deletion of another one. */
function waitsFor(store: ObjectStore, object: KubeObject, uid: string): boolean {
  const visited = new Set([object.metadata.uid]);
  const waiting = [object];
  for (const next of waiting) {
    if (next.metadata.uid === uid) return true;
    if (!isWaiting(next)) continue;
    for (const dependent of blockingDependents(store, next.metadata.uid)) {
      if (visited.has(dependent.metadata.uid)) continue;
      if (visited.size > MOST_VISITED) return true;
      visited.add(dependent.metadata.uid);
      waiting.push(dependent);
    }
  }
  return false;
}

function isWaiting({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(FOREGROUND_FINALIZER) === true;
}

function* blockingDependents(store: ObjectStore, owner: string): Generator<KubeObject> {
  for (const ref of store.dependents(owner)) {
    const object = store.get(ref);
    const owners = object?.metadata.ownerReferences ?? [];
    if (object && owners.some(({ uid, blockOwnerDeletion }) => uid === owner && blockOwnerDeletion)) yield object;
  }
}
