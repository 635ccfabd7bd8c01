import { isReservedLabel, mirrorPodProblem, reportProblem } from '@fenestra/contracts';
import { objectAt, sameJson, valueAt } from '../objects/json.ts';
import type { Decision, ObjectChange } from '../objects/gatekeeper.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import { resourceName } from '../objects/resource-kind.ts';
import { eventReporters, eventSubject } from '../kinds/event.ts';
import type { ObjectReader } from '../objects/object-service.ts';
import { PODS, runsOn } from './node-authorizer.ts';

/** Decides about what a node is about to write: only itself, its pods and what it reports. As NodeRestriction does. */
export function admitNode(node: string, change: ObjectChange, objects: Pick<ObjectReader, 'get'>): Decision {
  const versions = [change.previous, change.object].filter((version) => version !== undefined);
  const judge = JUDGES[resourceName(change.kind)];
  return judge === undefined ? true : judge(node, versions, change, objects);
}

/** `versions` are the object before and after the change, as far as it exists. A rule has to hold for both. */
type Judge = (
  node: string,
  versions: readonly KubeObject[],
  change: ObjectChange,
  objects: Pick<ObjectReader, 'get'>,
) => Decision;

const JUDGES: Readonly<Record<string, Judge>> = {
  nodes: judgeNode,
  pods: judgePod,
  events: judgeEvent,
  'events.events.k8s.io': judgeEvent,
  'leases.coordination.k8s.io': judgeLease,
};

function judgeNode(node: string, versions: readonly KubeObject[], change: ObjectChange): Decision {
  const other = versions.find(({ metadata }) => metadata.name !== node);
  if (other !== undefined) return `node "${node}" is not allowed to modify node "${other.metadata.name}"`;
  const { object, previous } = change;
  if (object === undefined) return true;
  const labels = changedLabels(object, previous).filter(isReservedLabel);
  if (labels.length > 0) return `node "${node}" is not allowed to modify labels: ${labels.toSorted().join(', ')}`;
  const kept = previous === undefined ? KEPT_BY_NEW_NODES : KEPT_BY_NODES;
  const changed = kept.find((path) => !same(valueAt(object, ...path), valueAt(previous, ...path)));
  return changed === undefined ? true : `node "${node}" is not allowed to modify ${changed.at(-1)}`;
}

// By an owner reference a node could have itself deleted, and come back without its taints. By a finalizer it could keep
// others from deleting it.
const KEPT_BY_NEW_NODES = [
  ['spec', 'configSource'],
  ['metadata', 'ownerReferences'],
  ['metadata', 'finalizers'],
] as const;
const KEPT_BY_NODES = [['spec', 'taints'], ...KEPT_BY_NEW_NODES] as const;

function changedLabels(object: KubeObject, previous: KubeObject | undefined): readonly string[] {
  const [after, before] = [objectAt(object, 'metadata', 'labels'), objectAt(previous, 'metadata', 'labels')];
  const names = new Set([...Object.keys(after), ...Object.keys(before)]);
  return [...names].filter((name) => after[name] !== before[name]);
}

function judgePod(node: string, versions: readonly KubeObject[], change: ObjectChange): Decision {
  const { object, previous } = change;
  if (object !== undefined && previous === undefined) return mirrorPodProblem(object, node) ?? true;
  if (!versions.every((pod) => runsOn(pod, node))) {
    return `node "${node}" can only change pods with spec.nodeName set to itself`;
  }
  // A status report may not decide who else the pod belongs to, when it is gone, nor which claims it may use.
  const changed = object && KEPT_OF_PODS.find((path) => !same(valueAt(object, ...path), valueAt(previous, ...path)));
  return changed === undefined ? true : `node "${node}" cannot update ${changed.at(-1)} through pod status`;
}

const KEPT_OF_PODS = [
  ['metadata', 'labels'],
  ['metadata', 'ownerReferences'],
  ['metadata', 'finalizers'],
  ['status', 'resourceClaimStatuses'],
  ['status', 'extendedResourceClaimStatus'],
] as const;

function judgeEvent(
  node: string,
  versions: readonly KubeObject[],
  change: ObjectChange,
  objects: Pick<ObjectReader, 'get'>,
): Decision {
  const own = versions.every((event) => {
    const reporters = eventReporters(event);
    return reporters.length > 0 && reporters.every((reporter) => reporter === node);
  });
  if (!own) return `node "${node}" can only write events that it reports itself`;
  if (!versions.every((event) => isOwnSubject(node, event, objects)))
    return `node "${node}" can only write events about itself and its pods`;
  return judgeReport(node, change);
}

/** Pods from files of a node are not in the API yet when they are started. */
function isOwnSubject(node: string, event: KubeObject, objects: Pick<ObjectReader, 'get'>): boolean {
  const { kind, name, namespace } = eventSubject(event);
  if (kind === 'Node') return name === node;
  if (kind !== 'Pod') return false;
  const pod = objects.get(PODS, { namespace, name });
  return pod === undefined ? name.endsWith(`-${node}`) : runsOn(pod, node);
}

function judgeLease(node: string, versions: readonly KubeObject[], change: ObjectChange): Decision {
  const own = versions.every(({ metadata }) => metadata.name === node);
  if (!own) return `node "${node}" can only access node lease with the same name as the requesting node`;
  return judgeReport(node, change);
}

/** What an administrator has added to a report does not keep the node from repeating it. */
function judgeReport(node: string, { object, previous }: ObjectChange): Decision {
  const changed = KEPT_OF_REPORTS.some((path) => !same(valueAt(object, ...path), valueAt(previous, ...path)));
  return object !== undefined && changed ? (reportProblem(object, node) ?? true) : true;
}

const KEPT_OF_REPORTS = [
  ['metadata', 'finalizers'],
  ['metadata', 'ownerReferences'],
] as const;

/** Clients and servers write an empty list or leave it out. */
function same(left: JsonValue, right: JsonValue): boolean {
  return sameJson(emptyAsAbsent(left), emptyAsAbsent(right));
}

type JsonValue = ReturnType<typeof valueAt>;

function emptyAsAbsent(value: JsonValue): JsonValue {
  return Array.isArray(value) && value.length === 0 ? undefined : value;
}
