import { win32 } from 'node:path';

/** Folders may not be longer than this without the prefix; files have a little more. */
const LIMIT = 248;

/** A path as the Win32 calls take it at any length. Short ones stay as they are, for messages of the system's own. */
export function longPath(path: string): string {
  const full = win32.resolve(path);
  return full.length < LIMIT ? full : win32.toNamespacedPath(full);
}
