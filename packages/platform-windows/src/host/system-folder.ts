import { win32 } from 'node:path';
import type { Kernel32 } from '../bindings/kernel32.ts';
import type { Native } from '../native.ts';

const MAX_PATH = 260;

/** `C:\Windows\System32`, from the system itself: a variable of the environment may say anything. */
export function systemFolder(kernel32: Kernel32): string {
  const buffer = Buffer.alloc(MAX_PATH * 2);
  const length = kernel32.GetSystemDirectoryW(buffer, MAX_PATH);
  return buffer.toString('utf16le', 0, length * 2);
}

/** `C:`. */
export function systemDrive({ kernel32 }: Native): string {
  return driveOf(systemFolder(kernel32));
}

/** The drive of a whole path, as `C:`. */
export function driveOf(path: string): string {
  return win32.parse(path).root.slice(0, 2).toUpperCase();
}
