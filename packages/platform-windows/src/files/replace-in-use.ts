import { win32 } from 'node:path';
import { rm } from 'node:fs/promises';
import type { Native } from '../native.ts';
import { WIN32, win32CodeOf } from '../win32-error.ts';
import { besideName, findBeside } from './beside.ts';
import { flushParent } from './file-handles.ts';
import { moveFile, deleteAtReboot } from './move.ts';

const ABSENT: readonly (number | undefined)[] = [WIN32.FILE_NOT_FOUND, WIN32.PATH_NOT_FOUND];

/**
 * Windows does not let a running program's file be replaced, but lets it be renamed: the old file goes aside and the
 * new one takes its place. Between the two moves the target is absent; if the second fails, the first is undone.
 * What is set aside goes last, for until then it may be the only copy: also what a run left that was cut off between.
 */
export async function replaceInUse(
  native: Native,
  from: string,
  to: string,
): Promise<{ setAside: string | undefined }> {
  const aside = besideName(to, 'old');
  const wasThere = await setAside(native, to, aside);
  try {
    await moveFile(native, { from, to, replace: true });
  } catch (cause) {
    if (wasThere) await moveFile(native, { from: aside, to, replace: false });
    throw cause;
  }
  flushParent(native, to);
  const left = await removeSetAside(native, to);
  return { setAside: left.includes(win32.resolve(aside)) ? aside : undefined };
}

async function setAside(native: Native, path: string, aside: string): Promise<boolean> {
  try {
    await moveFile(native, { from: path, to: aside, replace: false });
    return true;
  } catch (error) {
    if (ABSENT.includes(win32CodeOf(error))) return false;
    throw error;
  }
}

/**
 * Deletes the files that were set aside for `path`, now or by a run that was cut off. Returns those that a program still
 * runs from: the system is to delete them at its next start, and the next call here tries again.
 */
export async function removeSetAside(native: Native, path: string): Promise<string[]> {
  const left: string[] = [];
  for (const aside of await findBeside(path, 'old')) {
    await rm(aside, { force: true }).catch(() => left.push(aside));
  }
  for (const aside of left) deleteAtReboot(native, aside);
  return left;
}
