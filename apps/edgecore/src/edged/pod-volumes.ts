import { chmod, lstat, mkdir, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCodeOf } from '@fenestra/kernel';
import {
  type EmptyVolume,
  type FilesVolume,
  type HostVolume,
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

const EMPTY_MODE = 0o777;
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
      throw new StartError(WAITING, `the volume "${plan.name}" is not ready: ${plan.missing.message}`);
    case 'refused':
      throw new StartError(WAITING, `the volume "${plan.name}" cannot be had: ${plan.message}`);
  }
}

async function writeFiles(plan: FilesVolume, path: string, host: PodHost, signal: AbortSignal): Promise<string> {
  const [missing] = plan.missing;
  if (missing !== undefined)
    throw new StartError(WAITING, `the volume "${plan.name}" is not ready: ${missing.message}`);
  if (plan.medium === 'memory') await host.createMemoryFolder({ path, mode: 0o755 }, signal);
  const gid = plan.ownership?.fsGroup;
  await writeAtomically(path, plan.files, {
    setOwner: async (file, uid) =>
      host.setOwner(file, { ...(uid !== undefined && { uid }), ...(gid !== undefined && { gid }) }),
    removeFolder: async (folder) => host.removeFolder(folder, signal),
  });
  return path;
}

async function makeEmpty(plan: EmptyVolume, path: string, host: PodHost, signal: AbortSignal): Promise<string> {
  if (plan.medium === 'memory')
    await host.createMemoryFolder(
      { path, mode: EMPTY_MODE, ...(plan.sizeBytes !== undefined && { sizeBytes: plan.sizeBytes }) },
      signal,
    );
  else await mkdir(path, { recursive: true });
  await chmod(path, plan.ownership === undefined ? EMPTY_MODE : 0o2777);
  if (plan.ownership !== undefined) await host.setOwner(path, { gid: plan.ownership.fsGroup });
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
  if (check === 'DirectoryOrCreate') await mkdir(path, { recursive: true, mode: CREATED_FOLDER_MODE });
  if (check === 'FileOrCreate') await createFile(path);
  const found = await stat(path).catch(() => undefined);
  if (found !== undefined && expected.holds(found)) return;
  throw new StartError(
    WAITING,
    `the volume "${name}" cannot be had: hostPath type check failed: ${path} is not ${expected.what}`,
  );
}

async function createFile(path: string): Promise<void> {
  if ((await lstat(path).catch(() => undefined)) !== undefined) return;
  const handle = await open(path, 'a', CREATED_FILE_MODE).catch((error: unknown) => {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  await handle?.close();
}
