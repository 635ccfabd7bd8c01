import { grantedReferences, objectResource, referencedNames, RESOURCE_TYPES } from '@fenestra/contracts';
import type { Logger } from '@fenestra/platform';
import type { HubLink } from '../hub/hub-link.ts';
import { type Backoff, type BackoffPolicy, createAlarm, exponentialBackoff, pause } from '../modules/waiting.ts';
import { failureFields } from '../modules/describe-failure.ts';
import { type KubeObject, textOf } from './kube-object.ts';
import type { NodeMemory } from './node-memory.ts';

/** What getting the objects that pods refer to takes. */
export interface PodNeedsOptions {
  readonly hub: HubLink;
  readonly memory: Pick<NodeMemory, 'changes' | 'get' | 'list' | 'query'>;
  readonly log: Logger;
  readonly random: () => number;
  readonly retries?: BackoffPolicy;
  readonly settleMs?: number;
}

/** When an object that is missing is asked for next. */
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
  const alarm = createAlarm();
  const attempts = new Map<string, Attempts>();
  const unchecked = uncheckedPods(memory);
  const stops = [
    hub.onConnected(() => {
      // Another cloud, or the same one restarted, may have what the last one did not.
      attempts.clear();
      unchecked.addAll();
      alarm.ring();
    }),
    memory.changes.subscribe(({ kind, type, object }) => {
      if (kind.plural !== PODS.plural || kind.group !== PODS.group) return;
      if (type !== 'DELETED') unchecked.add(object);
      else if (attempts.size > 0) unchecked.addAll();
      alarm.ring();
    }),
  ];
  while (!signal.aborted) {
    await alarm.wait(untilNext(attempts), signal);
    await pause(settleMs, signal);
    if (!hub.connected || signal.aborted) continue;
    try {
      noteMissing(options, unchecked.take(), attempts);
      await askForDue(options, attempts, signal);
    } catch (cause) {
      log.error('Cannot find out what the pods of this node lack', failureFields(cause));
      unchecked.addAll();
      await pause(RETRIES.firstMs, signal);
    }
  }
  for (const stop of stops) stop();
}

/** Pods whose references were not looked at yet: all of them, or those that changed. */
interface Unchecked {
  readonly pods: readonly KubeObject[];
  readonly isAll: boolean;
}

function uncheckedPods(memory: PodNeedsOptions['memory']) {
  let changed = new Map<string, KubeObject>();
  let isAll = true;
  return {
    add: (pod: KubeObject): void => void changed.set(`${textOf(pod.metadata, 'namespace')}/${pod.metadata.name}`, pod),
    addAll(): void {
      isAll = true;
    },
    take(): Unchecked {
      const taken = { pods: isAll ? memory.list(PODS) : [...changed.values()], isAll };
      isAll = false;
      changed = new Map();
      return taken;
    },
  };
}

function noteMissing(
  { memory, random, retries = RETRIES }: PodNeedsOptions,
  { pods, isAll }: Unchecked,
  attempts: Map<string, Attempts>,
): void {
  const missing = new Set(pods.flatMap((pod) => missingOf(memory, pod)));
  if (isAll) for (const resource of attempts.keys()) if (!missing.has(resource)) attempts.delete(resource);
  for (const resource of missing) {
    if (!attempts.has(resource)) attempts.set(resource, { backoff: exponentialBackoff(retries, random), dueAt: 0 });
  }
}

async function askForDue(
  options: PodNeedsOptions,
  attempts: Map<string, Attempts>,
  signal: AbortSignal,
): Promise<void> {
  const due = [...attempts].filter(([, { dueAt }]) => dueAt <= performance.now()).values();
  const work = async (): Promise<void> => {
    for (const [resource, attempt] of due) {
      if (!options.hub.connected || signal.aborted) return;
      if (await isThere(options, resource, signal)) attempts.delete(resource);
      else attempt.dueAt = performance.now() + attempt.backoff.next(0);
    }
  };
  await Promise.all(Array.from({ length: QUERIES_AT_ONCE }, work));
}

async function isThere({ hub, memory, log }: PodNeedsOptions, resource: string, signal: AbortSignal): Promise<boolean> {
  try {
    return (await memory.query(resource, signal)) !== undefined;
  } catch (cause) {
    if (hub.connected && !signal.aborted) {
      log.warn('Cannot get an object that a pod refers to; trying again', { resource, ...failureFields(cause) });
    }
    return false;
  }
}

function missingOf(memory: PodNeedsOptions['memory'], pod: KubeObject): readonly string[] {
  const namespace = textOf(pod.metadata, 'namespace');
  if (namespace === undefined) return [];
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
