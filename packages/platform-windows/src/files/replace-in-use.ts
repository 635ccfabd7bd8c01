import { rm } from 'node:fs/promises';
import type { Native } from '../native.ts';
import { WIN32, win32CodeOf } from '../win32-error.ts';
import { flushParent } from './flush.ts';
import { deleteAtReboot, moveFile } from './move.ts';
import { besideName } from './temporary.ts';

const ABSENT: readonly (number | undefined)[] = [WIN32.FILE_NOT_FOUND, WIN32.PATH_NOT_FOUND];

/**
 * Windows does not let a running program's file be replaced, but lets it be renamed: the old file goes aside and the
 * new one takes its place. Between the two moves the target is absent; if the second fails, the first is undone.
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
  return { setAside: wasThere && !(await disposed(native, aside)) ? aside : undefined };
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

/** Deletes the old file, or has the system do it at its next start if a program still runs from it. */
async function disposed(native: Native, aside: string): Promise<boolean> {
  try {
    await rm(aside);
    return true;
  } catch {
    deleteAtReboot(native, aside);
    return false;
  }
}
