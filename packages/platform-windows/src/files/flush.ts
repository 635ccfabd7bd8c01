import { open } from 'node:fs/promises';
import { win32 } from 'node:path';
import { fileError } from '@fenestra/kernel';
import type { Native } from '../native.ts';
import { must, win32Error } from '../win32-error.ts';
import { longPath } from './long-path.ts';

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
