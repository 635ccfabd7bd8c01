import { chmod, lstat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Native } from '../native.ts';
import { WIN32, win32Error } from '../win32-error.ts';
import { isInUse, longPath } from './file-handles.ts';

const REPLACE = 0x1;
const DELAY_UNTIL_REBOOT = 0x4;
const WRITE_THROUGH = 0x8;

/**
 * Virus scanners, indexers and readers hold files open for moments; a program that really uses one holds it longer.
 * Tried often rather than ever more seldom, to meet a gap between many short readings.
 */
const PATIENCE_MS = 1500;
const RETRY_EVERY_MS = 10;
const PASSING: readonly number[] = [WIN32.ACCESS_DENIED, WIN32.SHARING_VIOLATION, WIN32.LOCK_VIOLATION];

/** What to move, and what the move is part of: `action` completes "Cannot …" if it fails. */
export interface Move {
  readonly from: string;
  readonly to: string;
  readonly replace: boolean;
  readonly action?: string;
}

/** Renames durably, with patience for those who hold a file for a moment only. */
export async function moveFile(native: Native, move: Move): Promise<void> {
  const { from, to, replace, action = `move "${from}" to "${to}"` } = move;
  const flags = WRITE_THROUGH | (replace ? REPLACE : 0);
  let error = tryMove(native, from, to, flags);
  if (error === WIN32.ACCESS_DENIED && replace) await clearReadOnly(to);
  const deadline = performance.now() + PATIENCE_MS;
  while (PASSING.includes(error) && performance.now() < deadline) {
    await sleep(RETRY_EVERY_MS);
    error = tryMove(native, from, to, flags);
  }
  if (error === 0) return;
  const inUse = error === WIN32.ACCESS_DENIED && isInUse(native, to);
  throw win32Error(inUse ? WIN32.SHARING_VIOLATION : error, action);
}

/** Deletes the file when the system starts the next time; says whether the system agreed. */
export function deleteAtReboot(native: Native, path: string): boolean {
  return native.kernel32.MoveFileExW(longPath(path), null, DELAY_UNTIL_REBOOT) !== 0;
}

function tryMove(native: Native, from: string, to: string, flags: number): number {
  const moved = native.kernel32.MoveFileExW(longPath(from), longPath(to), flags);
  return moved === 0 ? native.kernel32.GetLastError() : 0;
}

/** Windows refuses to replace a read-only file, which is not a reason to keep it. */
async function clearReadOnly(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isFile() === true && (found.mode & 0o200) === 0) await chmod(path, 0o600).catch(() => undefined);
}
