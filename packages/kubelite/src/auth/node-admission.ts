import { arrayAt, objectAt, sameJson, stringAt, valueAt, type JsonObject } from '../objects/json.ts';
import type { Decision, ObjectChange } from '../objects/gatekeeper.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import { resourceName } from '../objects/resource-kind.ts';
import { objectsAt } from '../kinds/json.ts';
import { runsOn } from './node-authorizer.ts';

const RESTRICTED_LABEL = /^(node-restriction\.kubernetes\.io|[^/]+\.node-restriction\.kubernetes\.io)\//;
const MIRROR = 'kubernetes.io/config.mirror';

/** Looks at what a node is about to write: it may speak for itself and for its pods only. */
export function admitNode(node: string, change: ObjectChange): Decision {
  const { object, previous } = change;
  const subject = object ?? previous;
  if (subject === undefined) return '';
  const judge = JUDGES[resourceName(change.kind)];
  return judge === undefined ? true : judge(node, subject, change);
}

type Judge = (node: string, subject: KubeObject, change: ObjectChange) => Decision;

const JUDGES: Readonly<Record<string, Judge>> = {
  nodes: judgeNode,
  pods: judgePod,
  events: judgeEvent,
  'events.events.k8s.io': judgeEvent,
  'leases.coordination.k8s.io': judgeLease,
};

function judgeNode(node: string, subject: KubeObject, { object, previous }: ObjectChange): Decision {
  const name = subject.metadata.name;
  if (name !== node) return `node "${node}" is not allowed to modify node "${name}"`;
  if (!sameJson(restrictedLabels(object), restrictedLabels(previous))) {
    return `node "${node}" is not allowed to modify labels under node-restriction.kubernetes.io/`;
  }
  const taintsChanged = !sameJson(arrayAt(object, 'spec', 'taints'), arrayAt(previous, 'spec', 'taints'));
  return previous !== undefined && object !== undefined && taintsChanged
    ? `node "${node}" is not allowed to modify taints`
    : true;
}

function restrictedLabels(node: KubeObject | undefined): JsonObject {
  const labels = Object.entries(objectAt(node, 'metadata', 'labels'));
  return Object.fromEntries(labels.filter(([key]) => RESTRICTED_LABEL.test(key)));
}

function judgePod(node: string, subject: KubeObject, change: ObjectChange): Decision {
  const name = subject.metadata.name;
  if (!runsOn(change.previous ?? subject, node)) {
    return `node "${node}" can only change pods with spec.nodeName set to itself`;
  }
  if (change.verb !== 'create') return keepsOwnership(node, change);
  const mirror = valueAt(subject, 'metadata', 'annotations', MIRROR) !== undefined;
  if (!mirror) return `pod "${name}" does not have "${MIRROR}" annotation, node "${node}" can only create mirror pods`;
  return refersToOthers(subject) ? `node "${node}" can not create pods that reference secrets or configmaps` : true;
}

/** A status report may not decide who else a pod belongs to. */
function keepsOwnership(node: string, { object, previous }: ObjectChange): Decision {
  if (object === undefined) return true;
  const kept = ['labels', 'ownerReferences'].every((field) =>
    sameJson(object.metadata[field], previous?.metadata[field]),
  );
  return kept ? true : `node "${node}" cannot update labels or owners through pod status`;
}

function refersToOthers(pod: KubeObject): boolean {
  const volumes = objectsAt(pod, 'spec', 'volumes');
  return volumes.some((volume) => ['configMap', 'projected', 'secret'].some((source) => volume[source] !== undefined));
}

function judgeEvent(node: string, event: KubeObject): Decision {
  const host = stringAt(event, 'source', 'host') || stringAt(event, 'deprecatedSource', 'host');
  const teller = host || stringAt(event, 'reportingInstance');
  return teller === node ? true : `node "${node}" can only tell of events in its own name`;
}

function judgeLease(node: string, lease: KubeObject): Decision {
  const { name } = lease.metadata;
  return name === node ? true : `node "${node}" can only access node lease with the same name as the requesting node`;
}
