import type { PodIdentity } from '../identity/labels.ts';
import { podOfLogFolder } from '../identity/log-paths.ts';
import type { ObservedContainer, ObservedSandbox } from '../observed.ts';

/** A container or sandbox with the pod it belongs to. */
export type OfPod<T> = T & { readonly podUid: string };

/** What the removal of dead containers depends on. */
export interface ContainerCollectionFacts {
  /** What carries the labels of a pod. Everything else in the runtime is left alone. */
  readonly containers: readonly OfPod<ObservedContainer>[];
  readonly sandboxes: readonly OfPod<ObservedSandbox>[];
  /** The pods whose containers may be asked for: all known ones that are not being deleted. */
  readonly livePods: ReadonlySet<string>;
  /** How many ended instances of a container are kept. */
  readonly keptInstances: number;
  /** How long an ended container is kept in any case. */
  readonly minAgeMs: number;
  readonly now: number;
}

/** What to remove, in this order. */
export interface ContainerCollection {
  /** Instances in an unknown state, which may run and are stopped first. */
  readonly stop: readonly string[];
  readonly removeContainers: readonly string[];
  readonly removeSandboxes: readonly string[];
}

/** Chooses ended containers and sandboxes that nothing needs any more. */
export function containersToRemove(facts: ContainerCollectionFacts): ContainerCollection {
  const remove = removableContainers(facts);
  const ids = new Set(remove.map(({ id }) => id));
  const remaining = facts.containers.filter(({ id }) => !ids.has(id));
  return {
    stop: remove.filter(({ state }) => state === 'unknown').map(({ id }) => id),
    removeContainers: remove.map(({ id }) => id),
    removeSandboxes: removableSandboxes(facts, remaining).map(({ id }) => id),
  };
}

/** The folders of logs whose pods are gone. */
export function logFoldersToRemove(folders: readonly string[], pods: readonly PodIdentity[]): readonly string[] {
  const uids = new Set(pods.map(({ uid }) => uid));
  return folders.filter((folder) => {
    const pod = podOfLogFolder(folder);
    return pod !== undefined && !uids.has(pod.uid);
  });
}

function removableContainers(facts: ContainerCollectionFacts): readonly OfPod<ObservedContainer>[] {
  const { containers, livePods, keptInstances, minAgeMs, now } = facts;
  const dead = containers.filter(({ state, createdAt }) => state !== 'running' && now - createdAt >= minAgeMs);
  const groups = Map.groupBy(dead, ({ podUid, name }) => `${podUid}/${name}`);
  return [...groups.values()].flatMap((instances) => {
    const isLive = instances.some(({ podUid }) => livePods.has(podUid));
    const newestFirst = instances.toSorted((a, b) => b.attempt - a.attempt || b.createdAt - a.createdAt);
    return isLive ? newestFirst.slice(keptInstances) : newestFirst;
  });
}

/** The newest sandbox of a live pod stays: it says how the pod ended, and how many came before. */
function removableSandboxes(
  { sandboxes, livePods }: ContainerCollectionFacts,
  remaining: readonly OfPod<ObservedContainer>[],
): readonly OfPod<ObservedSandbox>[] {
  const used = new Set(remaining.map(({ sandboxId }) => sandboxId));
  return sandboxes.filter((sandbox) => {
    const isNewest = !sandboxes.some(({ podUid, attempt }) => podUid === sandbox.podUid && attempt > sandbox.attempt);
    return !sandbox.ready && !used.has(sandbox.id) && !(isNewest && livePods.has(sandbox.podUid));
  });
}
