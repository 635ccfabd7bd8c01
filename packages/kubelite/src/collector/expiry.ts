import type { Logger } from '@fenestra/platform';
import { objectAt, stringAt } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import { SYSTEM_USER, type ObjectService } from '../objects/object-service.ts';
import type { ResourceKind } from '../objects/resource-kind.ts';
import { conditionOf } from '../kinds/conditions.ts';
import { lastSeen } from '../kinds/event.ts';
import { repeat } from './repeat.ts';

/** What grows old, and how old it may get. */
export interface ExpiryOptions {
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
