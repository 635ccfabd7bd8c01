import { type JsonObject, objectAt, stringAt, valueAt } from '../../objects/json.ts';
import type { KubeObject, ObjectDraft } from '../../objects/kube-object.ts';
import type { ObjectService, WriteOptions } from '../../objects/object-service.ts';
import type { ResourceKind, Subresource } from '../../objects/resource-kind.ts';
import { badRequest, conflict } from '../../objects/status-error.ts';
import { withCondition } from '../conditions.ts';

/** A pod, and the node it shall run on. */
interface PodAssignment {
  readonly namespace: string;
  readonly pod: string;
  readonly node: string;
  readonly now: Date;
}

/** `pods/binding`: assigns a pod to a node, once and for all. */
export const bindingSubresource: Subresource = {
  name: 'binding',
  kind: 'Binding',
  verbs: ['create'],
  async handle({ kind, namespace, name, body, context }) {
    const node = stringAt(body, 'target', 'name');
    if (node === '') throw badRequest('Binding "" is invalid: target.name: Required value');
    const options = { user: context.user, dryRun: context.dryRun, subresource: 'binding' };
    await bindPod(kind, context.objects, { namespace, pod: name, node, now: context.now }, options);
    return { status: 201, body: successStatus() };
  },
};

/** Writes the assignment and the condition that reports it. A pod that has a node already keeps it: 409. */
export async function bindPod(
  kind: ResourceKind,
  objects: ObjectService,
  { namespace, pod, node, now }: PodAssignment,
  options: WriteOptions,
): Promise<void> {
  await objects.update(kind, { namespace, name: pod }, (current) => assigned(kind, current, node, now), options);
}

function assigned(kind: ResourceKind, pod: KubeObject, node: string, now: Date): ObjectDraft {
  const present = stringAt(pod, 'spec', 'nodeName');
  const { name } = pod.metadata;
  if (pod.metadata.deletionTimestamp !== undefined)
    throw conflict(kind, name, `pod ${name} is being deleted, cannot be assigned to a host`);
  if (present !== '') throw conflict(kind, name, `pod ${name} is already assigned to node "${present}"`);
  const status: JsonObject = withCondition(objectAt(pod, 'status'), { type: 'PodScheduled', status: 'True' }, now);
  return { ...pod, spec: { ...objectAt(pod, 'spec'), nodeName: node }, status };
}

/** `pods/eviction`: a deletion that a disruption budget could refuse; there are none here, so it never is. */
export const evictionSubresource: Subresource = {
  name: 'eviction',
  kind: 'Eviction',
  group: 'policy',
  version: 'v1',
  verbs: ['create'],
  async handle({ kind, namespace, name, body, context }) {
    const grace = valueAt(body, 'deleteOptions', 'gracePeriodSeconds');
    const uid = valueAt(body, 'deleteOptions', 'preconditions', 'uid');
    await context.objects.delete(
      kind,
      { namespace, name },
      {
        user: context.user,
        dryRun: context.dryRun,
        ...(typeof grace === 'number' && { graceSeconds: grace }),
        ...(typeof uid === 'string' && { preconditions: { uid } }),
      },
    );
    return { status: 201, body: successStatus() };
  },
};

/** The `Status` that says something was done. */
function successStatus(): JsonObject {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' };
}
