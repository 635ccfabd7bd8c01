import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ContainerRuntime } from '@fenestra/cri';
import { containersToRemove, logFoldersToRemove, podLogFolder, type PodIdentity } from '@fenestra/pods';
import type { Logger, PodHost } from '@fenestra/platform';
import { failureFields } from '../modules/describe-failure.ts';
import { pause } from '../modules/waiting.ts';
import { removeOldLogs } from './logs/remove-old-logs.ts';
import type { PodObserver } from './observe-pod.ts';

/** What removing ended containers takes. */
export interface DeadContainersOptions {
  readonly runtime: ContainerRuntime;
  readonly observe: PodObserver;
  readonly host: PodHost;
  readonly log: Logger;
  readonly now: () => number;
  readonly logFolder: string;
  readonly keptInstances: number;
  readonly minAgeMs: number;
  /** The pods that have a worker and are not being deleted. */
  readonly livePods: () => readonly PodIdentity[];
}

const INTERVAL_MS = 60_000;

/** Removes ended containers and sandboxes that live pods do not need any more, and logs of pods that are gone. */
export async function keepRemovingDeadContainers(options: DeadContainersOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(INTERVAL_MS, signal);
    if (signal.aborted) return;
    try {
      await removeDeadContainers(options, () => true, signal);
      await removeLogs(options, signal);
    } catch (cause) {
      if (!signal.aborted) options.log.warn('Cannot remove ended containers', failureFields(cause));
    }
  }
}

/** Removes what live pods do not need. Of a pod of which nothing is kept, all that has ended is removed. */
export async function removeDeadContainers(
  options: DeadContainersOptions,
  isKept: (pod: PodIdentity) => boolean,
  signal: AbortSignal,
): Promise<void> {
  for (const pod of options.livePods()) {
    await removeDeadOf(pod, new Set(isKept(pod) ? [pod.uid] : []), options, signal);
  }
}

async function removeDeadOf(
  pod: PodIdentity,
  livePods: ReadonlySet<string>,
  options: DeadContainersOptions,
  signal: AbortSignal,
): Promise<void> {
  const { uid } = pod;
  const { runtime, observe, now, keptInstances, minAgeMs, logFolder } = options;
  const { containers, sandboxes } = await observe(uid, signal);
  const ofPod = <T>(part: T): T & { podUid: string } => ({ ...part, podUid: uid });
  const { removeContainers, removeSandboxes } = containersToRemove({
    containers: containers.map(ofPod),
    sandboxes: sandboxes.map(ofPod),
    livePods,
    keptInstances,
    minAgeMs,
    now: now(),
  });
  for (const id of removeContainers) await runtime.removeContainer(id, signal);
  const remaining = containers.filter(({ id }) => !removeContainers.includes(id));
  await removeOldLogs(join(logFolder, podLogFolder(pod)), remaining);
  for (const id of removeSandboxes) {
    await runtime.stopSandbox(id, signal);
    await runtime.removeSandbox(id, signal);
  }
}

async function removeLogs(
  { logFolder, livePods, runtime, host }: DeadContainersOptions,
  signal: AbortSignal,
): Promise<void> {
  const folders = await readdir(logFolder).catch(() => []);
  const sandboxes = await runtime.listSandboxes({}, signal);
  const known = [...livePods(), ...sandboxes.map(({ metadata }) => identityOf(metadata))];
  for (const folder of logFoldersToRemove(folders, known)) {
    await host.removeFolder(join(logFolder, folder), signal);
  }
}

function identityOf(metadata: { uid: string; name: string; namespace: string } | undefined): PodIdentity {
  return { uid: metadata?.uid ?? '', name: metadata?.name ?? '', namespace: metadata?.namespace ?? '' };
}
