import { chmod, lstat, mkdir, open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCodeOf } from '@fenestra/kernel';
import {
  type EmptyVolume,
  type FilesVolume,
  type HostVolume,
  KUBELET_EVENTS,
  type Pod,
  planVolumes,
  type VolumeFacts,
  type VolumePlan,
} from '@fenestra/pods';
import type { PodHost } from '@fenestra/platform';
import { writeAtomically } from './atomic-files.ts';
import { StartError } from './start-error.ts';

/** The volumes of a pod that are ready, with their paths on the machine by name. */
export interface ReadyVolumes {
  readonly plans: readonly VolumePlan[];
  readonly paths: ReadonlyMap<string, string>;
}

const FOLDER_MODE = 0o755;
const EMPTY_MODE = 0o777;
/** What is made in such a folder belongs to the group of the folder. */
const SET_GROUP = 0o2000;
const GROUP_READS = 0o440;
const CREATED_FOLDER_MODE = 0o755;
const CREATED_FILE_MODE = 0o644;
/** As a kubelet reports it: the pod waits, and an event says for what. */
const WAITING = 'ContainerCreating';

/** Makes the volumes of a pod, or brings them up to date. Throws a `StartError` if one cannot be had yet. */
export async function prepareVolumes(
  pod: Pod,
  folder: string,
  facts: VolumeFacts,
  host: PodHost,
  signal: AbortSignal,
): Promise<ReadyVolumes> {
  const plans = planVolumes(pod, facts);
  const paths = new Map<string, string>();
  for (const plan of plans) paths.set(plan.name, await prepare(plan, folder, host, signal));
  return { plans, paths };
}

async function prepare(plan: VolumePlan, folder: string, host: PodHost, signal: AbortSignal): Promise<string> {
  switch (plan.kind) {
    case 'files':
      return writeFiles(plan, join(folder, plan.folder), host, signal);
    case 'empty-dir':
      return makeEmpty(plan, join(folder, plan.folder), host, signal);
    case 'host-path':
      await checkHostPath(plan);
      return plan.path;
    case 'missing':
      throw notReady(plan.name, plan.missing.message);
    case 'refused':
      throw cannotBeHad(plan.name, plan.message);
  }
}

function notReady(volume: string, reason: string): StartError {
  const event = KUBELET_EVENTS.mountFailed(volume, reason);
  return new StartError(WAITING, `the volume "${volume}" is not ready: ${reason}`, { event });
}

function cannotBeHad(volume: string, reason: string): StartError {
  const event = KUBELET_EVENTS.mountFailed(volume, reason);
  return new StartError(WAITING, `the volume "${volume}" cannot be had: ${reason}`, { event });
}

async function writeFiles(plan: FilesVolume, path: string, host: PodHost, signal: AbortSignal): Promise<string> {
  const [missing] = plan.missing;
  if (missing !== undefined) throw notReady(plan.name, missing.message);
  if (plan.medium === 'memory') await host.createMemoryFolder({ path, mode: FOLDER_MODE }, signal);
  const gid = plan.ownership?.fsGroup;
  const files = plan.files.map((file) => (gid === undefined ? file : { ...file, mode: file.mode | GROUP_READS }));
  await writeAtomically(path, files, {
    keepsModes: host.keepsModes,
    folderMode: gid === undefined ? FOLDER_MODE : FOLDER_MODE | SET_GROUP,
    setOwner: async (file, uid) =>
      host.setOwner(file, { ...(uid !== undefined && { uid }), ...(gid !== undefined && { gid }) }),
    removeFolder: async (folder) => host.removeFolder(folder, signal),
    linkFolder: async (link, target) => host.linkFolder(link, target),
  });
  return path;
}

/** Made once: what containers do to the folder and in it, its mode and group too, is theirs until the pod ends. */
async function makeEmpty(plan: EmptyVolume, path: string, host: PodHost, signal: AbortSignal): Promise<string> {
  const { medium, sizeBytes, ownership } = plan;
  const rights = ownership === undefined ? {} : { gid: ownership.fsGroup };
  const mode = ownership === undefined ? EMPTY_MODE : EMPTY_MODE | SET_GROUP;
  if (medium === 'memory') {
    await host.createMemoryFolder({ path, mode, ...rights, ...(sizeBytes !== undefined && { sizeBytes }) }, signal);
  } else if ((await lstat(path).catch(() => undefined)) === undefined) {
    // No volume has a tilde in its name.
    const next = `${path}~next`;
    await mkdir(next, { recursive: true });
    await host.setOwner(next, rights);
    await chmod(next, mode);
    await rename(next, path);
  }
  return path;
}

/** What must be at the path of a `hostPath`, by its type. */
const CHECKS: Readonly<
  Record<string, { readonly what: string; readonly holds: (found: Awaited<ReturnType<typeof stat>>) => boolean }>
> = {
  Directory: { what: 'a directory', holds: (found) => found.isDirectory() },
  DirectoryOrCreate: { what: 'a directory', holds: (found) => found.isDirectory() },
  File: { what: 'a file', holds: (found) => found.isFile() },
  FileOrCreate: { what: 'a file', holds: (found) => found.isFile() },
  Socket: { what: 'a socket file', holds: (found) => found.isSocket() },
  CharDevice: { what: 'a character device', holds: (found) => found.isCharacterDevice() },
  BlockDevice: { what: 'a block device', holds: (found) => found.isBlockDevice() },
};

async function checkHostPath({ name, path, check }: HostVolume): Promise<void> {
  const expected = CHECKS[check];
  if (expected === undefined) return;
  if (check === 'DirectoryOrCreate') await createFolder(path);
  if (check === 'FileOrCreate') await createFile(path);
  const found = await stat(path).catch(() => undefined);
  if (found !== undefined && expected.holds(found)) return;
  throw cannotBeHad(name, `hostPath type check failed: ${path} is not ${expected.what}`);
}

/** The umask of the agent cuts the mode that a folder or file is made with. */
async function createFolder(path: string): Promise<void> {
  if ((await mkdir(path, { recursive: true })) !== undefined) await chmod(path, CREATED_FOLDER_MODE);
}

async function createFile(path: string): Promise<void> {
  if ((await lstat(path).catch(() => undefined)) !== undefined) return;
  const handle = await open(path, 'a', CREATED_FILE_MODE).catch((error: unknown) => {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  await handle?.chmod(CREATED_FILE_MODE);
  await handle?.close();
}
