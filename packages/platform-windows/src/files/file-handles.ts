import { open } from 'node:fs/promises';
import { win32 } from 'node:path';
import { fileError } from '@fenestra/kernel';
import type { Native } from '../native.ts';
import { must, win32Error, WIN32 } from '../win32-error.ts';

const WRITE_ACCESS = 0x4000_0000;
const SHARE_ALL = 7;
const OPEN_EXISTING = 3;
/** What makes a folder a thing that can be opened. */
const BACKUP_SEMANTICS = 0x0200_0000;
const NO_HANDLE = 0xffff_ffff_ffff_ffffn;

/** Writes a file's content from the system's memory to the disk. */
export async function flushFile(path: string): Promise<void> {
  try {
    // Windows flushes only through a handle that may write.
    const file = await open(path, 'r+');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (cause) {
    throw fileError(cause, `flush "${path}" to disk`);
  }
}

/** Writes a folder's entries from the system's memory to the disk. */
export function flushFolder(native: Native, path: string): void {
  const { kernel32 } = native;
  const action = `flush the folder "${path}" to disk`;
  const flags = BACKUP_SEMANTICS;
  const handle = kernel32.CreateFileW(longPath(path), WRITE_ACCESS, SHARE_ALL, null, OPEN_EXISTING, flags, null);
  if (handle === NO_HANDLE) throw win32Error(kernel32.GetLastError(), action);
  try {
    must(native, kernel32.FlushFileBuffers(handle), action);
  } finally {
    kernel32.CloseHandle(handle);
  }
}

/** Flushes the folder that a path is in. */
export function flushParent(native: Native, path: string): void {
  flushFolder(native, win32.dirname(win32.resolve(path)));
}

/** Windows says "access denied" too when a program runs from the file; opening it for writing shows which it is. */
export function isInUse(native: Native, path: string): boolean {
  const { kernel32 } = native;
  const handle = kernel32.CreateFileW(longPath(path), WRITE_ACCESS, SHARE_ALL, null, OPEN_EXISTING, 0, null);
  if (handle === NO_HANDLE) return kernel32.GetLastError() === WIN32.SHARING_VIOLATION;
  kernel32.CloseHandle(handle);
  return false;
}

/** Folders may not be longer than this without the prefix; files have a little more. */
const LIMIT = 248;

/** A path as the Win32 calls take it at any length. Short ones stay as they are, for messages of the system's own. */
export function longPath(path: string): string {
  const full = win32.resolve(path);
  return full.length < LIMIT ? full : win32.toNamespacedPath(full);
}
