import type { ObjectStore } from '../../store/object-store.ts';
import type { KindRegistry } from '../kind-registry.ts';
import type { KubeObject, OwnerReference } from '../kube-object.ts';
import { FOREGROUND_FINALIZER } from '../writes/delete-object.ts';

/** What shall become of an object that has owners. */
export type Fate =
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

/** `waiting` owners are being deleted and wait for their dependents. An owner of a kind nobody serves counts as there. */
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
