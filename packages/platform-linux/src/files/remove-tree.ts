import type { Dirent } from 'node:fs';
import { constants, type FileHandle, lstat, open, readdir, rmdir, unlink, realpath, readFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { OperatorError, systemCodeOf } from '@fenestra/kernel';
import { throwIfAborted } from '@fenestra/platform';
import { syncPath } from './create-folder.ts';

const OPEN_FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const OWNER_MAY_DELETE = 0o300;

/** Deletes a path strictly inside `root` and everything below it, without following links or entering other mounts. */
export async function removeTree(path: string, root: string, signal: AbortSignal): Promise<void> {
  const real = await pathInside(path, root);
  throwIfAborted(`deleting "${path}"`, signal);
  // Even to delete what is not there, a read-only disk would be an error.
  if (real === undefined || !(await isThere(real))) return;
  await refuseMountPoints(real);
  const parent = await open(dirname(real), OPEN_FOLDER);
  try {
    await removeEntry(parent, basename(real), signal);
  } finally {
    await parent.close();
  }
  await syncPath(dirname(real));
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: unknown) => {
      if (['ENOENT', 'ENOTDIR'].includes(systemCodeOf(error))) return false;
      throw error;
    },
  );
}

async function refuseMountPoints(path: string): Promise<void> {
  const [point] = await mountPointsWithin(path);
  if (point === undefined) return;
  throw new OperatorError('UNSAFE_PATH', `Cannot delete "${path}" while something is mounted at "${point}"`, {
    hint: `Unmount "${point}", then run the command again.`,
  });
}

async function removeEntry(parent: FileHandle, name: string, signal: AbortSignal): Promise<void> {
  throwIfAborted(`deleting "${name}"`, signal);
  const folder = await openFolder(parent, name);
  if (folder === undefined) return unlessAbsent(unlink(below(parent, name)));
  try {
    await removeContent(folder, signal);
  } finally {
    await folder.close();
  }
  await unlessAbsent(rmdir(below(parent, name)));
}

async function removeContent(folder: FileHandle, signal: AbortSignal): Promise<void> {
  const { mode } = await folder.stat();
  if ((mode & OWNER_MAY_DELETE) !== OWNER_MAY_DELETE) await folder.chmod(mode | 0o700);
  const entries: readonly Dirent[] = await readdir(below(folder, '.'), { withFileTypes: true });
  for (const { name } of entries) await removeEntry(folder, name, signal);
}

/** `undefined` if the name belongs to something that is not a folder: a file, a link, or nothing. */
async function openFolder(parent: FileHandle, name: string): Promise<FileHandle | undefined> {
  try {
    return await open(below(parent, name), OPEN_FOLDER);
  } catch (error) {
    if (['ENOTDIR', 'ELOOP', 'ENOENT'].includes(systemCodeOf(error))) return undefined;
    throw error;
  }
}

/**
 * A name in an already opened folder. It stays in that folder even if someone puts a link in the folder's
 * place in the meantime, which a path written out would follow.
 */
function below(folder: FileHandle, name: string): string {
  return `/proc/self/fd/${folder.fd}/${name}`;
}

async function unlessAbsent(removal: Promise<void>): Promise<void> {
  try {
    await removal;
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT') throw error;
  }
}

/**
 * The path with all links in its parents resolved, proved to be strictly inside `root`; `undefined` if it is absent.
 * The last part is not resolved: if it is a link, the link itself is meant.
 */
async function pathInside(path: string, root: string): Promise<string | undefined> {
  if (!isAbsolute(path) || !isAbsolute(root) || !isStrictlyInside(resolve(path), resolve(root)))
    throw unsafe(path, root);
  const [parent, realRoot] = await Promise.all([realPathOf(dirname(resolve(path))), realPathOf(root)]);
  if (parent === undefined || realRoot === undefined) return undefined;
  const real = join(parent, basename(resolve(path)));
  if (!isStrictlyInside(real, realRoot)) throw unsafe(path, root);
  return real;
}

/** Whether `path` is below `root`, judged by the text alone; both must be absolute and normal. */
function isStrictlyInside(path: string, root: string): boolean {
  return path !== root && path.startsWith(root === '/' ? root : `${root}/`);
}

async function realPathOf(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCodeOf(error))) return undefined;
    throw error;
  }
}

function unsafe(path: string, root: string): OperatorError {
  return new OperatorError('UNSAFE_PATH', `Cannot delete "${path}", which is not inside "${root}"`, {
    hint: 'Give a path inside the folder that may be cleaned.',
  });
}

const MOUNT_POINT_FIELD = 4;

/** The mount points at or below a path. Deleting through one would reach into another disk or a bind-mounted folder. */
export async function mountPointsWithin(path: string): Promise<readonly string[]> {
  const points = parseMountPoints(await readFile('/proc/self/mountinfo', 'utf8'));
  return points.filter((point) => point === path || isStrictlyInside(point, path));
}

/** The mount points in the kernel's `mountinfo` table, which writes odd characters as `\040`. */
export function parseMountPoints(mountInfo: string): readonly string[] {
  const lines = mountInfo.split('\n').filter((line) => line !== '');
  return lines.map((line) => unescapeOctal(line.split(' ')[MOUNT_POINT_FIELD] ?? ''));
}

function unescapeOctal(field: string): string {
  return field.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
