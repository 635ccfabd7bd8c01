import type { Logger } from '@fenestra/platform';
import { objectAt, objectsAt, stringAt } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import { SYSTEM_USER, type ObjectService } from '../objects/object-service.ts';
import type { ResourceKind } from '../objects/resource-kind.ts';
import { conditionOf, recordEvent, withCondition } from '../kinds/conditions.ts';
import { repeat } from './repeat.ts';

/** What the monitor looks at. */
export interface NodeMonitorOptions {
  readonly objects: ObjectService;
  readonly kinds: {
    readonly node: ResourceKind;
    readonly pod: ResourceKind;
    readonly lease: ResourceKind;
    readonly event: ResourceKind;
  };
  readonly log: Logger;
  now(): Date;
}

/** When a node was last seen to give a sign of life, by our own clock: those of nodes are not all right. */
type Signs = Map<string, { readonly sign: string; readonly since: number }>;

const ROUND_MS = 5_000;
const PATIENCE_MS = 40_000;
const JUDGED = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];
const COMPONENT = 'node-controller';

/** Calls a node unknown that has been silent for 40 seconds, and removes pods of nodes that are no more. */
export function startNodeMonitor(options: NodeMonitorOptions, signal: AbortSignal): void {
  repeat(ROUND_MS, createNodeMonitor(options), options.log, signal);
}

/** One round of the monitor; it remembers what it saw in earlier ones. */
export function createNodeMonitor(options: NodeMonitorOptions): () => Promise<void> {
  const nodes: Signs = new Map();
  const orphans: Signs = new Map();
  return async () => {
    await judgeNodes(nodes, options);
    await removeOrphans(orphans, options);
  };
}

async function judgeNodes(signs: Signs, options: NodeMonitorOptions): Promise<void> {
  const { objects, kinds } = options;
  const present = objects.list(kinds.node);
  forgetOthers(signs, present);
  for (const node of present) {
    const silent = isOverdue(signs, node, signOfLife(node, options), options.now());
    if (silent && conditionOf(objectAt(node, 'status'), 'Ready')?.['status'] !== 'Unknown')
      await giveUpOn(node, options);
  }
}

/** Whatever changes with every heartbeat: the lease's time and the status's own. */
function signOfLife(node: KubeObject, { objects, kinds }: NodeMonitorOptions): string {
  const lease = objects.get(kinds.lease, { namespace: 'kube-node-lease', name: node.metadata.name });
  const heartbeats = objectsAt(node, 'status', 'conditions').map((condition) =>
    stringAt(condition, 'lastHeartbeatTime'),
  );
  return [stringAt(lease, 'spec', 'renewTime'), ...heartbeats].join();
}

async function giveUpOn(node: KubeObject, options: NodeMonitorOptions): Promise<void> {
  const { objects, kinds } = options;
  const now = options.now();
  const key = { namespace: '', name: node.metadata.name };
  const message = 'The node has not reported its status for 40 seconds';
  const unknown = { status: 'Unknown', reason: 'NodeStatusUnknown', message } as const;
  await objects.update(
    kinds.node,
    key,
    (current) => ({
      ...current,
      status: JUDGED.filter((type) => type === 'Ready' || conditionOf(objectAt(current, 'status'), type)).reduce(
        (status, type) => withCondition(status, { type, ...unknown }, now),
        objectAt(current, 'status'),
      ),
    }),
    { user: SYSTEM_USER, subresource: 'status', fieldManager: COMPONENT },
  );
  const event = { about: node, reason: 'NodeNotReady', message: `Node ${key.name} status is now: NodeNotReady` };
  await recordEvent(kinds.event, objects, { ...event, type: 'Normal', component: COMPONENT, now });
}

async function removeOrphans(orphans: Signs, options: NodeMonitorOptions): Promise<void> {
  const { objects, kinds } = options;
  const nodes = new Set(objects.list(kinds.node).map((node) => node.metadata.name));
  const placed = objects.list(kinds.pod).filter((pod) => stringAt(pod, 'spec', 'nodeName') !== '');
  const lost = placed.filter((pod) => !nodes.has(stringAt(pod, 'spec', 'nodeName')));
  forgetOthers(orphans, lost);
  for (const pod of lost) {
    const { name, namespace = '' } = pod.metadata;
    if (!isOverdue(orphans, pod, '', options.now())) continue;
    await objects.delete(kinds.pod, { namespace, name }, { user: SYSTEM_USER, graceSeconds: 0 });
  }
}

function isOverdue(signs: Signs, { metadata }: KubeObject, sign: string, now: Date): boolean {
  const known = signs.get(metadata.uid);
  if (known?.sign === sign) return now.getTime() - known.since > PATIENCE_MS;
  signs.set(metadata.uid, { sign, since: now.getTime() });
  return false;
}

function forgetOthers(signs: Signs, present: readonly KubeObject[]): void {
  const uids = new Set(present.map((object) => object.metadata.uid));
  for (const uid of signs.keys()) if (!uids.has(uid)) signs.delete(uid);
}
