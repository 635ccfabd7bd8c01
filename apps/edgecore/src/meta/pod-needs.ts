import { grantedReferences, objectResource, referencedNames, RESOURCE_TYPES } from '@fenestra/contracts';
import type { Logger } from '@fenestra/platform';
import type { HubClient } from '../hub/hub-client.ts';
import { exponentialBackoff, type Backoff, type BackoffPolicy } from '../modules/backoff.ts';
import { failureFields } from '../modules/describe-failure.ts';
import { pause } from '../modules/pause.ts';
import { createAlarm } from './alarm.ts';
import type { KubeObject } from './kube-object.ts';
import type { NodeMemory } from './node-memory.ts';

/** What getting the objects that pods refer to takes. */
export interface PodNeedsOptions {
  readonly hub: HubClient;
  readonly memory: Pick<NodeMemory, 'changes' | 'get' | 'list' | 'query'>;
  readonly log: Logger;
  readonly random: () => number;
  readonly retries?: BackoffPolicy;
  readonly settleMs?: number;
}

/** An object that a pod refers to and that this node does not have, by its wire resource string. */
interface Attempts {
  readonly backoff: Backoff;
  dueAt: number;
}

const PODS = { group: '', version: 'v1', plural: 'pods' };
const FETCHED = [
  { kind: 'ConfigMap', plural: 'configmaps', type: RESOURCE_TYPES.configMap },
  { kind: 'Secret', plural: 'secrets', type: RESOURCE_TYPES.secret },
] as const;

/** An object that does not exist is asked for again this seldom: when it is made, most clouds send it by themselves. */
const RETRIES: BackoffPolicy = { firstMs: 2_000, capMs: 300_000, healthyAfterMs: Infinity };
/** A cloud that sends what a pod refers to does so about when it sends the pod. */
const SETTLE_MS = 500;
const QUERIES_AT_ONCE = 8;

/**
 * Asks the cloud for the ConfigMaps and Secrets that pods of this node refer to and that it has not sent: KubeEdge's own
 * cloud waits to be asked. Tries each again with growing delays until it is there. Ends with the signal.
 */
export async function keepPodNeeds(options: PodNeedsOptions, signal: AbortSignal): Promise<void> {
  const { hub, memory, log, settleMs = SETTLE_MS } = options;
  const giveUpForNow = async (cause: unknown): Promise<void> => {
    log.error('Cannot find out what the pods of this node lack', failureFields(cause));
    await pause(RETRIES.firstMs, signal);
  };
  const alarm = createAlarm();
  const attempts = new Map<string, Attempts>();
  const stops = [
    hub.onConnected(() => {
      // Another cloud, or the same one restarted, may have what the last one did not.
      attempts.clear();
      alarm.ring();
    }),
    memory.changes.subscribe(({ kind, type }) => {
      if (kind.plural === PODS.plural && kind.group === PODS.group && type !== 'DELETED') alarm.ring();
    }),
  ];
  while (!signal.aborted) {
    await alarm.wait(untilNext(attempts), signal);
    await pause(settleMs, signal);
    if (hub.connected) await fetchMissing(options, attempts, signal).catch(giveUpForNow);
  }
  for (const stop of stops) stop();
}

async function fetchMissing(
  { hub, memory, log, random, retries = RETRIES }: PodNeedsOptions,
  attempts: Map<string, Attempts>,
  signal: AbortSignal,
): Promise<void> {
  const missing = missingObjects(memory);
  for (const resource of attempts.keys()) if (!missing.has(resource)) attempts.delete(resource);
  const due = [...missing].filter((resource) => (attempts.get(resource)?.dueAt ?? 0) <= performance.now());
  const ask = async (resource: string): Promise<void> => {
    const found = await memory.query(resource, signal).catch((cause: unknown) => {
      if (hub.connected && !signal.aborted) {
        log.warn('Cannot get an object that a pod refers to; trying again', { resource, ...failureFields(cause) });
      }
    });
    if (found !== undefined) return void attempts.delete(resource);
    const { backoff } = attempts.get(resource) ?? { backoff: exponentialBackoff(retries, random) };
    attempts.set(resource, { backoff, dueAt: performance.now() + backoff.next(0) });
  };
  const queue = due.values();
  const work = async (): Promise<void> => {
    for (const resource of queue) if (hub.connected && !signal.aborted) await ask(resource);
  };
  await Promise.all(Array.from({ length: QUERIES_AT_ONCE }, work));
}

function missingObjects(memory: PodNeedsOptions['memory']): ReadonlySet<string> {
  return new Set(memory.list(PODS).flatMap((pod) => missingOf(memory, pod)));
}

function missingOf(memory: PodNeedsOptions['memory'], pod: KubeObject): readonly string[] {
  const { namespace } = pod.metadata;
  if (typeof namespace !== 'string') return [];
  const references = grantedReferences(pod);
  return FETCHED.flatMap(({ kind, plural, type }) =>
    referencedNames(references, kind)
      .filter((name) => memory.get({ group: '', version: 'v1', plural }, namespace, name) === undefined)
      .map((name) => objectResource(namespace, type, name)),
  );
}

function untilNext(attempts: ReadonlyMap<string, Attempts>): number {
  const due = Array.from(attempts.values(), ({ dueAt }) => dueAt);
  return due.length === 0 ? Infinity : Math.max(0, Math.min(...due) - performance.now());
}
