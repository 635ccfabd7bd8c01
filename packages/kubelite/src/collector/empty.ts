import type { KubeObject } from '../objects/kube-object.ts';
import { SYSTEM_USER, type ObjectService } from '../objects/object-service.ts';
import type { ResourceKind } from '../objects/resource-kind.ts';
import { StatusError } from '../objects/status-error.ts';

/** Asks for the deletion of the objects that are not on their way out yet. Tells how many there still were. */
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
