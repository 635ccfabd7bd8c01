import { inVersionOf } from '../draft.ts';
import type { KubeObject, ObjectMeta } from '../kube-object.ts';
import type { DeleteOptions, DeleteOutcome } from '../object-service.ts';
import { conflict, forbidden } from '../status-error.ts';
import { contextOf, store, storedRef, timestamp, type Write } from './environment.ts';
import { isFinished } from './update-object.ts';

/** Keeps an owner until its dependents are gone. */
export const FOREGROUND_FINALIZER = 'foregroundDeletion';
/** Keeps an owner until its dependents have been set free. */
export const ORPHAN_FINALIZER = 'orphan';
/** Some 68 years. Later dates have no form in RFC 3339. */
const LONGEST_GRACE_SECONDS = 2 ** 31 - 1;

/** Deletes an object, or marks it so while finalizers or its grace period hold it back. */
export function deleteObject(write: Write, stored: KubeObject, options: DeleteOptions): DeleteOutcome {
  const object = inVersionOf(stored, write.kind);
  requireDeletable(write, object, options);
  const marked = mark(write, object, options);
  if (isFinished(marked)) return { object: remove(write, marked), gone: true };
  if (object.metadata.deletionTimestamp !== undefined && sameDeletion(marked, object)) return { object, gone: false };
  const prepared = write.kind.prepareForDelete?.(marked, contextOf(write)) ?? marked;
  return { object: store(write, prepared), gone: false };
}

function requireDeletable(write: Write, object: KubeObject, { preconditions, user }: DeleteOptions): void {
  const { kind, environment } = write;
  const { name, uid, resourceVersion } = object.metadata;
  if (preconditions?.uid && preconditions.uid !== uid)
    throw conflict(
      kind,
      name,
      `Precondition failed: UID in precondition: ${preconditions.uid}, UID in object meta: ${uid}`,
    );
  if (preconditions?.resourceVersion && preconditions.resourceVersion !== resourceVersion)
    throw conflict(
      kind,
      name,
      `Precondition failed: ResourceVersion in precondition: ${preconditions.resourceVersion}, ResourceVersion in object meta: ${resourceVersion}`,
    );
  const refusal = kind.refuseDelete?.(object);
  if (refusal !== undefined) throw forbidden(kind, name, refusal);
  const decision = environment.admit(user, { verb: 'delete', kind, subresource: '', previous: object });
  if (decision !== true) throw forbidden(kind, name, decision);
}

function mark(write: Write, object: KubeObject, options: DeleteOptions): KubeObject {
  const { metadata } = object;
  const finalizers = finalizersFor(metadata, options);
  const grace = graceFor(write, object, options);
  const again = metadata.deletionTimestamp !== undefined;
  const due = new Date(write.environment.now().getTime() + grace * 1000);
  const shorter = !again || grace < (metadata.deletionGracePeriodSeconds ?? 0);
  const dates = shorter ? { deletionTimestamp: timestamp(due), deletionGracePeriodSeconds: grace } : {};
  const generation = write.kind.hasGeneration && !again ? { generation: (metadata.generation ?? 0) + 1 } : {};
  const { finalizers: _old, ...rest } = metadata;
  const held = finalizers.length > 0 ? { finalizers } : {};
  return { ...object, metadata: { ...rest, ...held, ...dates, ...generation } };
}

function graceFor({ kind }: Write, object: KubeObject, { graceSeconds }: DeleteOptions): number {
  const seconds = kind.deletionGraceSeconds?.(object, graceSeconds) ?? 0;
  return Math.min(Math.max(0, seconds), LONGEST_GRACE_SECONDS);
}

/** The latest wish about dependents replaces an earlier one. */
function finalizersFor(metadata: ObjectMeta, { propagation }: DeleteOptions): readonly string[] {
  const finalizers = metadata.finalizers ?? [];
  if (propagation === undefined) return finalizers;
  const others = finalizers.filter((name) => name !== FOREGROUND_FINALIZER && name !== ORPHAN_FINALIZER);
  if (propagation === 'Foreground') return [...others, FOREGROUND_FINALIZER];
  return propagation === 'Orphan' ? [...others, ORPHAN_FINALIZER] : others;
}

function sameDeletion(left: KubeObject, right: KubeObject): boolean {
  return (
    left.metadata.deletionTimestamp === right.metadata.deletionTimestamp &&
    left.metadata.finalizers?.join() === right.metadata.finalizers?.join()
  );
}

function remove(write: Write, object: KubeObject): KubeObject {
  if (write.options.dryRun) return object;
  const { namespace = '', name } = object.metadata;
  return write.writer.remove(storedRef(write.kind, { namespace, name })) ?? object;
}
