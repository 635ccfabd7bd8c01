import type { Logger } from '@fenestra/platform';
import type { Change } from '../../store/commit-queue.ts';
import type { StoredRef } from '../../store/object-rows.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { sameJson } from '../json.ts';
import type { KindRegistry } from '../gatekeeper.ts';
import type { KubeObject } from '../kube-object.ts';
import { SYSTEM_USER, type ObjectService, type WriteOptions } from '../object-service.ts';
import { resourceName, type ResourceKind } from '../resource-kind.ts';
import { StatusError } from '../status-error.ts';
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from '../writes/delete-object.ts';
import { blocks, fateOf } from './dependent.ts';
import { workQueue } from './work-queue.ts';

/** What the collector works with. */
export interface CollectorContext {
  readonly store: ObjectStore;
  readonly objects: ObjectService;
  readonly registry: KindRegistry;
  readonly log: Logger;
}

/** A running collector. */
export interface GarbageCollector {
  /** Resolves when there is nothing to do at the moment. */
  idle(): Promise<void>;
}

const OPTIONS: WriteOptions = { user: SYSTEM_USER, fieldManager: 'garbage-collector' };

/** Deletes what has lost its owners, and finishes foreground and orphaning deletions. Starts with what a crash left behind. */
export function startGarbageCollector(context: CollectorContext, signal: AbortSignal): GarbageCollector {
  const { store, log } = context;
  const failed = (ref: StoredRef, error: unknown) =>
    log.warn('Cannot collect an object, trying again', { ...ref, cause: String(error) });
  const queue = workQueue((ref) => collect(context, ref, (dependent) => queue.add(dependent)), failed, signal);
  for (const ref of [...store.owned(), ...store.deleting()]) queue.add(ref);
  store.onCommit((changes) => {
    if (signal.aborted) return;
    for (const change of changes) for (const ref of touchedBy(change, store)) queue.add(ref);
  });
  return queue;
}

/** Which objects a change may concern. Most changes concern none. */
function touchedBy({ type, object, previous, resource }: Change, store: ObjectStore): readonly StoredRef[] {
  const { ownerReferences = [], namespace = '', name, uid, finalizers = [] } = object.metadata;
  const before = previous?.metadata.ownerReferences ?? [];
  const owners = [...ownerReferences, ...before];
  if (type === 'DELETED') return [...store.dependents(uid), ...owners.flatMap((owner) => store.byUid(owner.uid))];
  const self = { resource, namespace, name };
  if (!sameJson(ownerReferences, before)) return [self, ...before.flatMap((owner) => store.byUid(owner.uid))];
  const ours = finalizers.includes(FOREGROUND_FINALIZER) || finalizers.includes(ORPHAN_FINALIZER);
  return ours && object.metadata.deletionTimestamp !== undefined ? [self] : [];
}

type Enqueue = (ref: StoredRef) => void;

async function collect(context: CollectorContext, ref: StoredRef, enqueue: Enqueue): Promise<void> {
  const object = context.store.get(ref);
  const kind = context.registry.all().find((known) => resourceName(known) === ref.resource);
  if (!object || !kind) return;
  try {
    await settleOwner(context, kind, object, enqueue);
    await settleDependent(context, kind, object);
  } catch (error) {
    // Someone else was quicker, which is its own change and comes back as one.
    if (!(error instanceof StatusError) || (error.code !== 404 && error.code !== 409)) throw error;
  }
}

async function settleDependent(context: CollectorContext, kind: ResourceKind, object: KubeObject): Promise<void> {
  const fate = fateOf(object, context.store, context.registry);
  if (fate.action === 'release') await release(context, kind, object, fate.uids);
  if (fate.action !== 'delete') return;
  const preconditions = { uid: object.metadata.uid };
  const { propagation } = fate;
  await context.objects.delete(kind, keyOf(object), { ...OPTIONS, preconditions, propagation });
}

async function settleOwner(
  context: CollectorContext,
  kind: ResourceKind,
  object: KubeObject,
  enqueue: Enqueue,
): Promise<void> {
  const { deletionTimestamp, finalizers = [], uid } = object.metadata;
  if (deletionTimestamp === undefined) return;
  const dependents = context.store.dependents(uid);
  if (finalizers.includes(ORPHAN_FINALIZER)) {
    await Promise.all(dependents.map((ref) => orphan(context, ref, uid)));
    await dropFinalizer(context, kind, object, ORPHAN_FINALIZER);
  } else if (finalizers.includes(FOREGROUND_FINALIZER)) {
    // Not awaited here: owners may form a circle. The removal of a dependent brings its owner back into the queue.
    if (!dependents.some((ref) => blocks(context.store, ref, uid)))
      await dropFinalizer(context, kind, object, FOREGROUND_FINALIZER);
    for (const ref of dependents) if (!isDeleting(context.store, ref)) enqueue(ref);
  }
}

function isDeleting(store: ObjectStore, ref: StoredRef): boolean {
  return store.get(ref)?.metadata.deletionTimestamp !== undefined;
}

async function orphan(context: CollectorContext, ref: StoredRef, uid: string): Promise<void> {
  const kind = context.registry.all().find((known) => resourceName(known) === ref.resource);
  const object = context.store.get(ref);
  if (kind && object) await release(context, kind, object, [uid]);
}

async function release(
  { objects }: CollectorContext,
  kind: ResourceKind,
  object: KubeObject,
  uids: readonly string[],
): Promise<void> {
  const change = (current: KubeObject): KubeObject => {
    const { ownerReferences = [], ...rest } = current.metadata;
    const left = ownerReferences.filter((owner) => !uids.includes(owner.uid));
    return { ...current, metadata: left.length > 0 ? { ...rest, ownerReferences: left } : rest };
  };
  await objects.update(kind, keyOf(object), change, OPTIONS);
}

async function dropFinalizer(
  { objects }: CollectorContext,
  kind: ResourceKind,
  object: KubeObject,
  finalizer: string,
): Promise<void> {
  const change = (current: KubeObject): KubeObject => {
    const finalizers = (current.metadata.finalizers ?? []).filter((name) => name !== finalizer);
    return { ...current, metadata: { ...current.metadata, finalizers } };
  };
  await objects.update(kind, keyOf(object), change, OPTIONS);
}

function keyOf({ metadata }: KubeObject): { namespace: string; name: string } {
  return { namespace: metadata.namespace ?? '', name: metadata.name };
}
