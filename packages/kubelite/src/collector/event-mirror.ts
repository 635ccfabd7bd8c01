import type { Logger } from '@fenestra/platform';
import { stringAt } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import { SYSTEM_USER, type ObjectService } from '../objects/object-service.ts';
import type { ResourceKind } from '../objects/resource-kind.ts';
import { toCoreEvent } from '../kinds/new-event.ts';

/** The two forms of events. */
export interface EventMirrorOptions {
  readonly objects: ObjectService;
  readonly core: ResourceKind;
  readonly newer: ResourceKind;
  readonly log: Logger;
}

/** Tells every `events.k8s.io` event in the core group as well, since that is where `kubectl get events` looks. */
export function startEventMirror(options: EventMirrorOptions, signal: AbortSignal): void {
  options.objects.follow(
    options.newer,
    ({ type, object }) => {
      if (type === 'DELETED') return;
      tell(object, options).catch((cause: unknown) => {
        options.log.debug('Cannot mirror an event', { name: object.metadata.name, cause: String(cause) });
      });
    },
    signal,
  );
}

async function tell(event: KubeObject, { objects, core }: EventMirrorOptions): Promise<void> {
  const draft = toCoreEvent(event);
  const key = { namespace: event.metadata.namespace ?? '', name: event.metadata.name };
  const known = objects.get(core, key);
  if (known === undefined) await objects.create(core, draft, { user: SYSTEM_USER });
  // An event of another reporter that happens to have this name is not the same event.
  else if (stringAt(known, 'reportingInstance') === stringAt(event, 'reportingInstance'))
    await objects.update(core, key, (current) => ({ ...draft, metadata: current.metadata }), { user: SYSTEM_USER });
}
