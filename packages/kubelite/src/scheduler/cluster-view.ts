import { type JsonObject, objectsAt, sameJson, stringAt } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import type { ObjectEvent, ObjectService } from '../objects/object-service.ts';
import type { ResourceRef } from '../objects/resource-kind.ts';
import { readyCondition } from '../kinds/node.ts';

/** What the scheduler has to know, kept up to date. */
export interface ClusterView {
  /** Pods that wait for a node, the oldest first. */
  pending(): readonly KubeObject[];
  nodes(): readonly KubeObject[];
  /** How many pods each node has; the caller's to count on. */
  load(): Map<string, number>;
}

/** Follows pods and nodes, and calls back when something may have become possible. */
export function watchCluster(
  objects: ObjectService,
  kinds: { readonly pod: ResourceRef; readonly node: ResourceRef },
  onChange: () => void,
  signal: AbortSignal,
): ClusterView {
  const waiting = new Map<string, KubeObject>();
  const placed = new Map<string, string>();
  const nodes = new Map<string, KubeObject>();
  objects.follow(kinds.node, (event) => trackNode(event, nodes, onChange), signal);
  objects.follow(kinds.pod, (event) => trackPod(event, waiting, placed, onChange), signal);
  return {
    pending: () => [...waiting.values()].toSorted(byAge),
    nodes: () => [...nodes.values()],
    load: () => countOf(placed.values()),
  };
}

function trackNode({ type, object }: ObjectEvent, nodes: Map<string, KubeObject>, onChange: () => void): void {
  const { name } = object.metadata;
  const before = nodes.get(name);
  if (type === 'DELETED') nodes.delete(name);
  else nodes.set(name, object);
  // Heartbeats come all the time and make nothing possible.
  if (type === 'DELETED' || before === undefined || !sameJson(offerOf(before), offerOf(object))) onChange();
}

/** All of a node that decides which pods it can run. */
function offerOf(node: KubeObject): JsonObject {
  return { labels: node.metadata.labels, spec: node['spec'], ready: readyCondition(node)?.['status'] };
}

function trackPod(
  { type, object }: ObjectEvent,
  waiting: Map<string, KubeObject>,
  placed: Map<string, string>,
  onChange: () => void,
): void {
  const { uid } = object.metadata;
  const node = stringAt(object, 'spec', 'nodeName');
  waiting.delete(uid);
  placed.delete(uid);
  if (type === 'DELETED') return;
  if (node !== '') placed.set(uid, node);
  else if (isWaiting(object)) {
    waiting.set(uid, object);
    onChange();
  }
}

function isWaiting(pod: KubeObject): boolean {
  return (
    pod.metadata.deletionTimestamp === undefined &&
    stringAt(pod, 'spec', 'schedulerName') === 'default-scheduler' &&
    objectsAt(pod, 'spec', 'schedulingGates').length === 0
  );
}

function countOf(names: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function byAge(left: KubeObject, right: KubeObject): number {
  return left.metadata.creationTimestamp.localeCompare(right.metadata.creationTimestamp);
}
