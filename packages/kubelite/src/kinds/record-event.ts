import { randomBytes } from 'node:crypto';
import type { KubeObject } from '../objects/kube-object.ts';
import { SYSTEM_USER, type ObjectService } from '../objects/object-service.ts';
import type { ResourceKind } from '../objects/resource-kind.ts';
import { timestamp } from './conditions.ts';

/** Something worth telling about an object. */
export interface Happening {
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
