import { join } from 'node:path';
import {
  type Container,
  type ContainerEnvironment,
  containerPathOf,
  type MountPlan,
  planMounts,
  subPathFolder,
} from '@fenestra/pods';
import type { PodHost } from '@fenestra/platform';
import type { ReadyVolumes } from './pod-volumes.ts';
import { StartError } from './start-error.ts';

/** What the mounts of a container are made from. */
export interface MountSources {
  readonly os: 'linux' | 'windows';
  readonly host: PodHost;
  readonly podFolder: string;
  readonly volumes: ReadyVolumes;
  readonly environment: ContainerEnvironment;
}

/** A mount with the path on the machine that it shows. */
export type ReadyMount = MountPlan & { readonly hostPath: string };

/** Makes the mounts of a container ready. Throws a `StartError` if one cannot be had. */
export async function containerMounts(
  container: Container,
  sources: MountSources,
  signal: AbortSignal,
): Promise<readonly ReadyMount[]> {
  const { os, environment, volumes } = sources;
  const facts = { os, volumes: volumes.plans, environment, recursiveReadOnly: false };
  const { mounts, problems } = planMounts(container, facts);
  const [problem] = problems;
  if (problem !== undefined) throw new StartError('CreateContainerConfigError', problem);
  const ready: ReadyMount[] = [];
  for (const mount of mounts) ready.push({ ...mount, hostPath: await hostPathOf(mount, container, sources, signal) });
  return ready;
}

async function hostPathOf(
  { volume, subPath, index }: MountPlan,
  { name }: Container,
  { os, volumes, host, podFolder }: MountSources,
  signal: AbortSignal,
): Promise<string> {
  const path = volumes.paths.get(volume);
  if (path === undefined) throw new Error(`The volume "${volume}" was not prepared`);
  // On Windows a `hostPath` may be without a drive.
  if (subPath === undefined) return os === 'windows' ? containerPathOf(path, os) : path;
  const target = join(podFolder, subPathFolder(volume, name, index));
  // A key that a ConfigMap does not have yet must not become a folder.
  const create = volumes.plans.find((plan) => plan.name === volume)?.kind !== 'files';
  try {
    return await host.openVolumePart({ volume: path, path: subPath, target, create }, signal);
  } catch (cause) {
    signal.throwIfAborted();
    const why = cause instanceof Error ? cause.message : String(cause);
    const message = `failed to prepare subPath for volumeMount "${volume}" of container "${name}": ${why}`;
    throw new StartError('CreateContainerConfigError', message);
  }
}
