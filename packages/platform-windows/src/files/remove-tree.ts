import type { Stats } from 'node:fs';
import { chmod, lstat, readdir, realpath, rmdir, unlink } from 'node:fs/promises';
import { win32 } from 'node:path';
import { OperatorError, fileError, systemCodeOf } from '@fenestra/kernel';
import { pause, throwIfAborted } from '@fenestra/platform';
import type { Native } from '../native.ts';
import { WIN32, win32Error } from '../win32-error.ts';
import { findBeside } from './beside.ts';
import { flushParent, isInUse, longPath } from './file-handles.ts';
import { removeSetAside } from './replace-in-use.ts';

const RETRY_DELAYS_MS = [20, 50, 100, 200, 400];
const PASSING = ['EBUSY', 'EPERM', 'EACCES', 'ENOTEMPTY'];
const REPARSE_POINT = 0x400;

/**
 * Deletes a path and everything below it, if it is strictly inside `root`. Links go, what they point to stays.
 * With a program go the files of its older versions that were set aside beside it and that no one uses any more.
 */
export async function removeTree(native: Native, path: string, root: string, signal: AbortSignal): Promise<void> {
  if (!win32.isAbsolute(path) || !isStrictlyInside(path, root)) throw unsafe(path, root);
  try {
    if (!(await isReallyInside(path, root))) throw unsafe(path, root);
    // Even to delete what is not there, a read-only disk would be an error.
    if ((await lstatIfAny(path)) === undefined && (await findBeside(path, 'old')).length === 0) return;
    await remove(native, win32.resolve(path), signal);
    await removeSetAside(native, path);
    flushParent(native, path);
  } catch (cause) {
    // Not even the folder that it would be in is there.
    if (systemCodeOf(cause) === 'ENOENT') return;
    throw fileError(cause, `delete "${path}"`);
  }
}

function unsafe(path: string, root: string): OperatorError {
  return new OperatorError('UNSAFE_PATH', `Refused to delete "${path}": it is not inside "${root}"`, {
    hint: 'Check the path and the links on the way to it.',
  });
}

/** A link among the parents could lead out of the root although the path looks as if it were inside. */
async function isReallyInside(path: string, root: string): Promise<boolean> {
  const full = win32.resolve(path);
  const parent = await realpath(win32.dirname(full));
  return isStrictlyInside(win32.join(parent, win32.basename(full)), await realpath(root));
}

async function remove(native: Native, path: string, signal: AbortSignal): Promise<void> {
  throwIfAborted(`deleting "${path}"`, signal);
  const found = await lstatIfAny(path);
  if (found === undefined) return;
  if (!found.isDirectory() || isMountPoint(native, path)) return removeEntry(native, path, found, signal);
  for (const name of await readdir(path)) await remove(native, win32.join(path, name), signal);
  await removeEntry(native, path, found, signal);
}

async function lstatIfAny(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (cause) {
    if (systemCodeOf(cause) === 'ENOENT') return undefined;
    throw cause;
  }
}

/** A disk mounted as a folder looks like a folder to Node, and what is on that disk is not ours. */
function isMountPoint(native: Native, path: string): boolean {
  return (native.kernel32.GetFileAttributesW(longPath(path)) & REPARSE_POINT) !== 0;
}

/** Removes one entry; read-only ones are made writable, and those in use for a moment get some more chances. */
async function removeEntry(native: Native, path: string, found: Stats, signal: AbortSignal): Promise<void> {
  for (const delay of [...RETRY_DELAYS_MS, undefined]) {
    try {
      return await (found.isDirectory() ? rmdir(path) : unlink(path));
    } catch (cause) {
      if (systemCodeOf(cause) === 'ENOENT') return;
      if (delay === undefined || !PASSING.includes(systemCodeOf(cause))) throw reasonOf(native, path, found, cause);
    }
    if (!found.isSymbolicLink()) await chmod(path, 0o666).catch(() => undefined);
    await pause(delay, `deleting "${path}"`, signal);
  }
}

function reasonOf(native: Native, path: string, found: Stats, cause: unknown): unknown {
  return found.isFile() && isInUse(native, path) ? win32Error(WIN32.SHARING_VIOLATION, `delete "${path}"`) : cause;
}

/** Whether `path` is below `root` and not `root` itself, by their names alone. Windows does not tell cases apart. */
export function isStrictlyInside(path: string, root: string): boolean {
  const relative = win32.relative(canonical(root), canonical(path));
  return relative !== '' && !win32.isAbsolute(relative) && relative.split('\\', 1)[0] !== '..';
}

function canonical(path: string): string {
  // The prefix of long paths is not a part of the place.
  return win32.resolve(path.replace(/^\\\\\?\\(?=[A-Za-z]:)/, '')).toLowerCase();
}
