import type { StoredRef } from '../../store/object-rows.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import type { KindRegistry } from '../gatekeeper.ts';
import type { KubeObject, OwnerReference } from '../kube-object.ts';
import { FOREGROUND_FINALIZER } from '../writes/delete-object.ts';

/** What shall become of an object that has owners. */
type Fate =
  | { readonly action: 'keep' }
  /** Some owner is still there: only the references to the others go. */
  | { readonly action: 'release'; readonly uids: readonly string[] }
  | { readonly action: 'delete'; readonly propagation: 'Background' | 'Foreground' };

/** Decides from the state its owners are in now. */
export function fateOf(object: KubeObject, store: ObjectStore, registry: KindRegistry): Fate {
  const { ownerReferences = [], deletionTimestamp } = object.metadata;
  const states = ownerReferences.map((owner) => ({ owner, state: stateOf(owner, object, store, registry) }));
  const lost = states.filter(({ state }) => state !== 'there');
  if (lost.length === 0) return { action: 'keep' };
  if (lost.length < states.length) return { action: 'release', uids: lost.map(({ owner }) => owner.uid) };
  if (deletionTimestamp !== undefined) return { action: 'keep' };
  const waitedFor = lost.some(({ state }) => state === 'waiting');
  const hasOwn = store.dependents(object.metadata.uid).length > 0;
  return { action: 'delete', propagation: waitedFor && hasOwn ? 'Foreground' : 'Background' };
}

/** `waiting` owners are being deleted and wait for their dependents. An owner of a kind no one serves counts as there. */
function stateOf(
  owner: OwnerReference,
  dependent: KubeObject,
  store: ObjectStore,
  registry: KindRegistry,
): 'absent' | 'there' | 'waiting' {
  const { namespace = '' } = dependent.metadata;
  const ref = store.byUid(owner.uid).find((found) => found.namespace === '' || found.namespace === namespace);
  if (!ref) return registry.findByKind(groupOf(owner.apiVersion), owner.kind) ? 'absent' : 'there';
  const found = store.get(ref)?.metadata;
  const waits = found?.deletionTimestamp !== undefined && found.finalizers?.includes(FOREGROUND_FINALIZER);
  return waits ? 'waiting' : 'there';
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

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
