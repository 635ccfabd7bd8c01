import type { ExtensionContext } from '../objects/extensions.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import { SYSTEM_USER } from '../objects/object-service.ts';
import type { ResourceKind } from '../objects/resource-kind.ts';
import { StatusError } from '../objects/status-error.ts';
import { NAMESPACE_FINALIZER } from '../kinds/namespace.ts';
import { deleteAll, releaseFinalizer, startRemovals } from './removal-loop.ts';
import { tellFailure } from './repeat.ts';

// They are always there.
const DEFAULT_NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/** The kinds this controller writes. */
export interface NamespaceKinds {
  readonly namespace: ResourceKind;
  readonly serviceAccount: ResourceKind;
  readonly configMap: ResourceKind;
}

/** Makes the default namespaces, furnishes every namespace, and empties those that are deleted. */
export async function startNamespaces(
  context: ExtensionContext,
  kinds: NamespaceKinds,
  signal: AbortSignal,
): Promise<void> {
  for (const name of DEFAULT_NAMESPACES) {
    await createUnlessThere(context, kinds.namespace, { kind: 'Namespace', metadata: { name } });
  }
  const { objects, log } = context;
  objects.follow(
    kinds.namespace,
    ({ type, object }) => {
      if (type === 'DELETED' || object.metadata.deletionTimestamp !== undefined) return;
      furnish(context, kinds, object.metadata.name).catch((cause: unknown) => {
        tellFailure(cause, 'Cannot furnish a namespace', { namespace: object.metadata.name }, log, signal);
      });
    },
    signal,
  );
  const remove = async (namespace: KubeObject): Promise<boolean> => removeContent(context, kinds.namespace, namespace);
  startRemovals({ objects, log, resource: kinds.namespace, remove }, signal);
}

/** Every namespace has an identity for its pods and the means to trust this API. */
async function furnish(context: ExtensionContext, kinds: NamespaceKinds, namespace: string): Promise<void> {
  const account = { kind: 'ServiceAccount', metadata: { name: 'default', namespace } };
  await createUnlessThere(context, kinds.serviceAccount, account);
  const data = { 'ca.crt': context.identity.ca.certificate };
  const trust = { kind: 'ConfigMap', metadata: { name: 'kube-root-ca.crt', namespace }, data };
  await createUnlessThere(context, kinds.configMap, trust);
}

async function createUnlessThere(
  { objects }: ExtensionContext,
  kind: ResourceKind,
  draft: { readonly kind: string; readonly metadata: { readonly name: string; readonly namespace?: string } },
): Promise<void> {
  const { name, namespace = '' } = draft.metadata;
  if (objects.get(kind, { namespace, name }) !== undefined) return;
  try {
    await objects.create(kind, { ...draft, apiVersion: 'v1' }, { user: SYSTEM_USER });
  } catch (cause) {
    // It came, or its namespace went, in the meantime.
    if (!(cause instanceof StatusError) || ![403, 404, 409].includes(cause.code)) throw cause;
  }
}

async function removeContent(context: ExtensionContext, kind: ResourceKind, namespace: KubeObject): Promise<boolean> {
  const { objects, registry } = context;
  const { name } = namespace.metadata;
  let left = 0;
  for (const contained of registry.all()) {
    if (!contained.namespaced || contained.answerCreate !== undefined) continue;
    left += await deleteAll(contained, objects.list(contained, { namespace: name }), objects);
  }
  if (left > 0) return false;
  await releaseFinalizer(kind, namespace, NAMESPACE_FINALIZER, objects);
  return true;
}
