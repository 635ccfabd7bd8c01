import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@fenestra/platform';
import type { KubeObject } from '../objects/kube-object.ts';
import { type ObjectService, SYSTEM_USER } from '../objects/object-service.ts';
import type { ResourceKind, ResourceRef } from '../objects/resource-kind.ts';
import { StatusError } from '../objects/status-error.ts';
import { tellFailure } from './repeat.ts';

/** Removals of one kind of container: a namespace with its content, a definition with its objects. */
interface Removals {
  readonly objects: ObjectService;
  readonly resource: ResourceRef;
  readonly log: Logger;
  /** One attempt; true once nothing is left to do for it. */
  remove(object: KubeObject): Promise<boolean>;
}

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

/** Attends to every object that is being deleted, again and again until it is done. */
export function startRemovals(removals: Removals, signal: AbortSignal): void {
  const attended = new Set<string>();
  removals.objects.follow(
    removals.resource,
    ({ type, object }) => {
      const { uid, deletionTimestamp } = object.metadata;
      if (type === 'DELETED' || deletionTimestamp === undefined || attended.has(uid)) return;
      attended.add(uid);
      void removeFully(removals, object, signal).finally(() => attended.delete(uid));
    },
    signal,
  );
}

async function removeFully(removals: Removals, object: KubeObject, signal: AbortSignal): Promise<void> {
  let pause = FIRST_PAUSE_MS;
  while (!signal.aborted && !(await attempt(removals, object, signal))) {
    await delay(pause, undefined, { signal, ref: false }).catch(() => undefined);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}

async function attempt(removals: Removals, object: KubeObject, signal: AbortSignal): Promise<boolean> {
  try {
    return await removals.remove(object);
  } catch (cause) {
    tellFailure(cause, 'Cannot finish a deletion yet', { name: object.metadata.name }, removals.log, signal);
    return false;
  }
}

/** Asks for the deletion of the objects that are not on their way out yet. Shows how many there still were. */
export async function deleteAll(
  kind: ResourceKind,
  found: readonly KubeObject[],
  objects: ObjectService,
): Promise<number> {
  for (const { metadata } of found) {
    if (metadata.deletionTimestamp !== undefined) continue;
    const key = { namespace: metadata.namespace ?? '', name: metadata.name };
    await objects.delete(kind, key, { user: SYSTEM_USER, propagation: 'Background' }).catch(ignoreGone);
  }
  return found.length;
}

/** Takes one finalizer off an object, which lets it go if it was the last. */
export async function releaseFinalizer(
  kind: ResourceKind,
  { metadata }: KubeObject,
  finalizer: string,
  objects: ObjectService,
): Promise<void> {
  const key = { namespace: metadata.namespace ?? '', name: metadata.name };
  await objects
    .update(
      kind,
      key,
      (current) => {
        const finalizers = (current.metadata.finalizers ?? []).filter((name) => name !== finalizer);
        return { ...current, metadata: { ...current.metadata, finalizers } };
      },
      { user: SYSTEM_USER },
    )
    .catch(ignoreGone);
}

/** Another hand was quicker. */
function ignoreGone(cause: unknown): undefined {
  if (cause instanceof StatusError && cause.code === 404) return undefined;
  throw cause;
}
