import type { Native } from '../native.ts';
import { WIN32 } from '../win32-error.ts';
import { longPath } from './long-path.ts';

const WRITE_ACCESS = 0x4000_0000;
const SHARE_ALL = 7;
const OPEN_EXISTING = 3;
const NO_HANDLE = 0xffff_ffff_ffff_ffffn;

/** Windows says "access denied" too when a program runs from the file; opening it for writing tells which it is. */
export function isInUse(native: Native, path: string): boolean {
  const { kernel32 } = native;
  const handle = kernel32.CreateFileW(longPath(path), WRITE_ACCESS, SHARE_ALL, null, OPEN_EXISTING, 0, null);
  if (handle === NO_HANDLE) return kernel32.GetLastError() === WIN32.SHARING_VIOLATION;
  kernel32.CloseHandle(handle);
  return false;
}
