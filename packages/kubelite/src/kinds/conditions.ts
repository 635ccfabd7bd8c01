import { randomBytes } from 'node:crypto';
import { listAt, type JsonObject, objectsAt, stringAt } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import { type ObjectService, SYSTEM_USER } from '../objects/object-service.ts';
import type { ResourceKind } from '../objects/resource-kind.ts';

/** What a condition says. */
export interface ConditionUpdate {
  readonly type: string;
  readonly status: 'False' | 'True' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
}

/** The condition of a type in a status, if it is there. */
export function conditionOf(status: JsonObject, type: string): JsonObject | undefined {
  return objectsAt(status, 'conditions').find((condition) => condition['type'] === type);
}

/** A copy of a status with one condition set. The time of transition moves only when the condition's status does. */
export function withCondition(status: JsonObject, update: ConditionUpdate, now: Date): JsonObject {
  const previous = conditionOf(status, update.type);
  const same = previous?.['status'] === update.status;
  const since = same ? stringAt(previous, 'lastTransitionTime') : timestamp(now);
  const { reason: _reason, message: _message, ...kept } = previous ?? {};
  const condition: JsonObject = { ...kept, ...update, lastTransitionTime: since };
  const conditions = listAt(status, 'conditions');
  const replaced = conditions.map((other) => (stringAt(other, 'type') === update.type ? condition : other));
  return { ...status, conditions: previous === undefined ? [...conditions, condition] : replaced };
}

/** A time as Kubernetes writes it: whole seconds, UTC. */
export function timestamp(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

/** Something worth telling about an object. */
interface Happening {
  readonly about: KubeObject;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** Who tells. */
  readonly component: string;
  readonly now: Date;
}

/** Writes an event. One that cannot be written is lost: events are news, not state. */
export async function recordEvent(
  eventKind: ResourceKind,
  objects: ObjectService,
  happening: Happening,
): Promise<void> {
  const { about, type, reason, message, component, now } = happening;
  const { name, namespace, uid, resourceVersion } = about.metadata;
  const at = timestamp(now);
  const event = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name}.${randomBytes(8).toString('hex')}`, namespace: namespace ?? 'default' },
    involvedObject: {
      apiVersion: about.apiVersion,
      kind: about.kind,
      name,
      uid,
      resourceVersion,
      ...(namespace !== undefined && { namespace }),
    },
    type,
    reason,
    message,
    source: { component },
    reportingComponent: component,
    firstTimestamp: at,
    lastTimestamp: at,
    count: 1,
  };
  await objects.create(eventKind, event, { user: SYSTEM_USER, fieldManager: component }).catch(() => undefined);
}
