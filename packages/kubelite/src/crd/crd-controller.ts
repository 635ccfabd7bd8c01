import type { ExtensionContext } from '../objects/extensions.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import type { ResourceKind } from '../objects/resource-kind.ts';
import { deleteAll, releaseFinalizer, startRemovals } from '../collector/removal-loop.ts';
import { withMetadataRules } from '../kinds/define-kind.ts';
import { CLEANUP_FINALIZER } from './crd-kind.ts';
import { customKinds } from './custom-kind.ts';

/** Serves what the definitions define, from the moment they are stored until their last object is gone. */
export function startCrdController(context: ExtensionContext, kind: ResourceKind, signal: AbortSignal): void {
  const { objects, log } = context;
  objects.follow(
    kind,
    ({ type, object, previous }) => {
      try {
        if (type === 'DELETED') withdraw(context, object, []);
        else serve(context, object, previous);
      } catch (cause) {
        log.error('Cannot serve a custom resource', { definition: object.metadata.name, cause: String(cause) });
      }
    },
    signal,
  );
  const remove = async (definition: KubeObject): Promise<boolean> => removeObjects(context, kind, definition);
  startRemovals({ objects, log, resource: kind, remove }, signal);
}

function serve(context: ExtensionContext, definition: KubeObject, previous: KubeObject | undefined): void {
  const unchanged = previous?.metadata.generation === definition.metadata.generation;
  if (previous !== undefined && unchanged) return;
  const kinds = customKinds(definition);
  withdraw(context, previous, kinds);
  for (const custom of kinds) context.registry.add(withMetadataRules(custom, 'subdomain'));
}

/** Stops serving the versions that a definition had and no longer has. */
function withdraw(context: ExtensionContext, definition: KubeObject | undefined, kept: readonly ResourceKind[]): void {
  if (definition === undefined) return;
  const versions = new Set(kept.map((custom) => custom.version));
  for (const custom of customKinds(definition)) if (!versions.has(custom.version)) context.registry.remove(custom);
}

async function removeObjects(
  { objects }: ExtensionContext,
  kind: ResourceKind,
  definition: KubeObject,
): Promise<boolean> {
  const [custom] = customKinds(definition);
  if (custom !== undefined && (await deleteAll(custom, objects.list(custom), objects)) > 0) return false;
  await releaseFinalizer(kind, definition, CLEANUP_FINALIZER, objects);
  return true;
}
