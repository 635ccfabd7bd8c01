import type { Logger } from '@fenestra/platform';
import { conditionOf } from '../kinds/conditions.ts';
import { lastSeen, toCoreEvent } from '../kinds/event.ts';
import { objectAt, stringAt } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import { type ObjectService, SYSTEM_USER } from '../objects/object-service.ts';
import type { ResourceKind } from '../objects/resource-kind.ts';
import { repeat } from './repeat.ts';

/** What grows old, and how old it may get. */
interface ExpiryOptions {
  readonly objects: ObjectService;
  readonly events: readonly ResourceKind[];
  readonly signingRequests: ResourceKind;
  readonly log: Logger;
  now(): Date;
}

const SWEEP_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Forgets events after an hour, decided certificate requests after an hour, and undecided ones after a day. */
export function startExpiry(options: ExpiryOptions, signal: AbortSignal): void {
  repeat(SWEEP_MS, async () => removeExpired(options), options.log, signal);
}

/** Removes what is too old now. */
export async function removeExpired(options: ExpiryOptions): Promise<void> {
  const now = options.now().getTime();
  for (const kind of options.events)
    await removeOld(kind, options, (event) => now - Date.parse(lastSeen(event)) > HOUR_MS);
  await removeOld(options.signingRequests, options, (request) => {
    const limit = isDecided(request) ? HOUR_MS : DAY_MS;
    return now - Date.parse(request.metadata.creationTimestamp) > limit;
  });
}

async function removeOld(
  kind: ResourceKind,
  { objects }: ExpiryOptions,
  isOld: (object: KubeObject) => boolean,
): Promise<void> {
  for (const { metadata } of objects.list(kind).filter(isOld)) {
    await objects.delete(kind, { namespace: metadata.namespace ?? '', name: metadata.name }, { user: SYSTEM_USER });
  }
}

/** An approval without a certificate yet is still being worked on. */
function isDecided(request: KubeObject): boolean {
  const status = objectAt(request, 'status');
  const refused = conditionOf(status, 'Denied') ?? conditionOf(status, 'Failed');
  return refused !== undefined || stringAt(status, 'certificate') !== '';
}

/** The two forms of events. */
interface EventMirrorOptions {
  readonly objects: ObjectService;
  readonly core: ResourceKind;
  readonly newer: ResourceKind;
  readonly log: Logger;
}

/** Reports every `events.k8s.io` event in the core group as well, since that is where `kubectl get events` looks. */
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
