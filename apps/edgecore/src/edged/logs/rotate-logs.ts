import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type ContainerRuntime, containerStateOf } from '@fenestra/cri';
import type { Container } from '@fenestra/cri/messages';
import { systemCodeOf } from '@fenestra/kernel';
import { ANNOTATIONS, podIdentityOf, type PodIdentity, podLogFolder } from '@fenestra/pods';
import type { Logger } from '@fenestra/platform';
import { failureFields } from '../../modules/describe-failure.ts';
import { pause } from '../../modules/waiting.ts';
import type { LogRotationSettings } from '../edged-settings.ts';
import { slots } from '../slots.ts';
import { type ContainerLog, rotateLog } from './rotate-log.ts';

/** What the rotation of logs takes. */
export interface LogRotationOptions {
  readonly runtime: ContainerRuntime;
  readonly log: Logger;
  readonly now: () => number;
  readonly logFolder: string;
  readonly settings: LogRotationSettings;
  /** The pods that this agent runs. The logs of others are not its own. */
  readonly pods: () => readonly PodIdentity[];
}

/** Rotates the logs of running containers that have become too large. One check is one list, and one look at each file. */
export async function keepRotatingLogs(options: LogRotationOptions, signal: AbortSignal): Promise<void> {
  const { settings, log } = options;
  if (settings.maxBytes === Infinity) return;
  const inSlot = slots(settings.workers);
  while (!signal.aborted) {
    await pause(settings.checkMs, signal);
    if (signal.aborted) return;
    try {
      const logs = await runningLogs(options, signal);
      await Promise.all(logs.map(async (one) => inSlot(async () => checkLog(one, options, signal))));
    } catch (cause) {
      if (!signal.aborted) log.warn('Cannot check the logs of containers', failureFields(cause));
    }
  }
}

async function runningLogs(
  { runtime, pods, logFolder }: LogRotationOptions,
  signal: AbortSignal,
): Promise<readonly ContainerLog[]> {
  const ours = new Set(pods().map(({ uid }) => uid));
  const containers = await runtime.listContainers({}, signal);
  return containers
    .filter((container) => containerStateOf(container) === 'running')
    .flatMap((container) => logOf(container, ours, logFolder));
}

function logOf(
  { id, labels, annotations, metadata }: Container,
  ours: ReadonlySet<string>,
  logFolder: string,
): readonly ContainerLog[] {
  const pod = podIdentityOf(labels);
  if (pod === undefined || metadata === undefined || !ours.has(pod.uid)) return [];
  const attempt = Number(annotations[ANNOTATIONS.restartCount] ?? metadata.attempt);
  return [{ id, folder: join(logFolder, podLogFolder(pod), metadata.name), attempt }];
}

async function checkLog(container: ContainerLog, options: LogRotationOptions, signal: AbortSignal): Promise<void> {
  const { runtime, settings, log } = options;
  const path = join(container.folder, `${container.attempt}.log`);
  if (signal.aborted) return;
  try {
    const size = await sizeOf(path);
    // A rotation was interrupted after its rename: the runtime still writes the renamed file.
    if (size === undefined) await runtime.reopenLog(container.id, signal);
    else if (size >= settings.maxBytes) await rotateLog(container, options, signal);
  } catch (cause) {
    if (!signal.aborted) log.warn('Cannot rotate the log of a container', { file: path, ...failureFields(cause) });
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (cause) {
    if (systemCodeOf(cause) === 'ENOENT') return undefined;
    throw cause;
  }
}
