import { OperatorError } from '@fenestra/kernel';
import type { Native } from './native.ts';
import { WIN32_MEANINGS, type Win32Meaning } from './win32-meanings.ts';

/** The Win32 errors the adapters decide by. */
export const WIN32 = {
  FILE_NOT_FOUND: 2,
  PATH_NOT_FOUND: 3,
  ACCESS_DENIED: 5,
  SHARING_VIOLATION: 32,
  LOCK_VIOLATION: 33,
  INVALID_PARAMETER: 87,
  INSUFFICIENT_BUFFER: 122,
  INVALID_LEVEL: 124,
  MORE_DATA: 234,
  NO_MORE_ITEMS: 259,
  INVALID_SERVICE_CONTROL: 1052,
  SERVICE_ALREADY_RUNNING: 1056,
  SERVICE_DOES_NOT_EXIST: 1060,
  SERVICE_CANNOT_ACCEPT_CTRL: 1061,
  SERVICE_NOT_ACTIVE: 1062,
  SERVICE_SPECIFIC_ERROR: 1066,
  SERVICE_MARKED_FOR_DELETE: 1072,
  SERVICE_NEVER_STARTED: 1077,
} as const;

const UNKNOWN: Win32Meaning = [
  'SYSTEM_CALL_FAILED',
  'the system refused',
  'Look the number up in the list of Windows system error codes.',
];

/** Turns a Win32 error into a catalogue error. `action` completes "Cannot …". */
export function win32Error(win32: number, action: string): OperatorError {
  const [code, meaning, hint] = WIN32_MEANINGS[win32] ?? UNKNOWN;
  return new OperatorError(code, `Cannot ${action}: ${meaning} (Windows error ${win32})`, { hint, details: { win32 } });
}

/** The Win32 number a catalogue error was made from, if it was. */
export function win32CodeOf(error: unknown): number | undefined {
  const win32 = error instanceof OperatorError ? error.details['win32'] : undefined;
  return typeof win32 === 'number' ? win32 : undefined;
}

/** Throws the last error of this thread if the call just made failed, which is what 0 says. */
export function must(native: Native, result: number, action: string): void {
  if (result === 0) throw win32Error(native.kernel32.GetLastError(), action);
}

/** The handle or address a call returned, or throws the last error of this thread if there is none. */
export function mustHave<T>(native: Native, result: T | null, action: string): T {
  if (result === null) throw win32Error(native.kernel32.GetLastError(), action);
  return result;
}

/** For calls that return the error itself. */
export function mustBeZero(error: number, action: string): void {
  if (error !== 0) throw win32Error(error, action);
}
