import {
  chmod,
  constants,
  type FileHandle,
  mkdir,
  open,
  readlink,
  rmdir,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileError, OperatorError, systemCodeOf } from '@fenestra/kernel';
import type { VolumePart } from '@fenestra/platform';
import { bindOpened, isMounted, unmountBelow } from './mounts.ts';

/** Node does not name this flag: to hold a file without reading it, whatever it is. */
const O_PATH = 0o10000000;
const MOST_LINKS = 40;
const TARGET_MODE = 0o750;

/**
 * Mounts a part of a volume at its target. Each part of the path is opened from the one before it, and what was opened
 * is mounted: a container that exchanges a folder for a link at that time gets nothing that is outside of the volume.
 */
export async function openVolumePart(part: VolumePart, signal: AbortSignal): Promise<string> {
  const opened: FileHandle[] = [];
  try {
    opened.push(await open(part.volume, O_PATH | constants.O_DIRECTORY));
    await walk(part, opened);
    const found = opened.at(-1);
    if (found !== undefined) await hold(found, part.target, signal);
    return part.target;
  } catch (cause) {
    signal.throwIfAborted();
    throw fileError(cause, `open "${part.path}" in the volume`);
  } finally {
    await Promise.all(opened.map(async (handle) => handle.close()));
  }
}

/** Leaves in `opened` the folders on the way, the volume first and what the path names last. */
async function walk(part: VolumePart, opened: FileHandle[]): Promise<void> {
  const ahead = partsOf(part.path);
  let links = 0;
  for (let name = ahead.shift(); name !== undefined; name = ahead.shift()) {
    if (name === '..') {
      if (opened.length === 1) throw leadsOut(part);
      await opened.pop()?.close();
      continue;
    }
    const path = pathIn(opened.at(-1), name);
    const next = await openPart(path, opened[0], part.create);
    if (!(await next.stat()).isSymbolicLink()) {
      opened.push(next);
      continue;
    }
    await next.close();
    links += 1;
    const target = await readlink(path);
    if (target.startsWith('/') || links > MOST_LINKS) throw leadsOut(part);
    ahead.unshift(...partsOf(target));
  }
}

function partsOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

function pathIn(folder: FileHandle | undefined, name: string): string {
  return `/proc/self/fd/${folder?.fd}/${name}`;
}

/** A folder that is made gets the permission bits of the volume, so that who can use the volume can use it. */
async function openPart(path: string, volume: FileHandle | undefined, create: boolean): Promise<FileHandle> {
  try {
    return await open(path, O_PATH | constants.O_NOFOLLOW);
  } catch (error) {
    if (!create || systemCodeOf(error) !== 'ENOENT') throw error;
  }
  await mkdir(path);
  const made = await open(path, O_PATH | constants.O_NOFOLLOW);
  const isFolder = (await made.stat()).isDirectory();
  const mode = (await volume?.stat())?.mode;
  if (isFolder && mode !== undefined) await chmod(`/proc/self/fd/${made.fd}`, mode & 0o7777);
  return made;
}

async function hold(found: FileHandle, target: string, signal: AbortSignal): Promise<void> {
  const wanted = await found.stat();
  if (await isMounted(target)) {
    const held = await stat(target);
    if (held.dev === wanted.dev && held.ino === wanted.ino) return;
    await unmountBelow(target, signal);
  }
  await makeTarget(target, wanted.isDirectory());
  await bindOpened(found.fd, target, signal);
}

/** What something is mounted on must be of its kind. */
async function makeTarget(target: string, isFolder: boolean): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: TARGET_MODE });
  const present = await stat(target).catch(() => undefined);
  if (present?.isDirectory() === true && !isFolder) await rmdir(target);
  if (present?.isDirectory() === false && isFolder) await unlink(target);
  if (isFolder) await mkdir(target, { recursive: true, mode: TARGET_MODE });
  else await writeFile(target, '', { flag: 'a' });
}

function leadsOut({ path }: VolumePart): OperatorError {
  return new OperatorError('UNSAFE_PATH', `Cannot open "${path}" in the volume: a link on it leads out of the volume`, {
    hint: 'Remove the link from the volume, or name another sub path.',
  });
}
