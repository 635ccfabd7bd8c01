import type { ErrorCode } from './catalogue.ts';
import { OperatorError } from './operator-error.ts';

interface Meaning {
  readonly code: ErrorCode;
  readonly hint: string;
}

const MEANINGS: Readonly<Record<string, Meaning>> = {
  ENOSPC: { code: 'DISK_FULL', hint: 'Free some space on this disk, then run the command again.' },
  EDQUOT: { code: 'DISK_FULL', hint: 'Raise the disk quota of this account, then run the command again.' },
  EROFS: { code: 'READ_ONLY', hint: 'Mount the file system writable, then run the command again.' },
  EACCES: { code: 'ACCESS_DENIED', hint: 'Run the command as an administrator.' },
  EPERM: { code: 'ACCESS_DENIED', hint: 'Run the command as an administrator.' },
  ENOENT: { code: 'PATH_NOT_FOUND', hint: 'Check that the path exists and is spelled right.' },
  ENOTDIR: { code: 'PATH_NOT_FOUND', hint: 'Check that every part of the path but the last is a folder.' },
  EISDIR: { code: 'FILE_FAILED', hint: 'It is a folder: name a file.' },
  EBUSY: { code: 'FILE_IN_USE', hint: 'Close the program that uses the file, then run the command again.' },
  ETXTBSY: { code: 'FILE_IN_USE', hint: 'Stop the program that runs from this file, then run the command again.' },
};

const UNKNOWN: Meaning = { code: 'FILE_FAILED', hint: 'Check the cause and the health of the disk.' };

/** Turns what the file system said into a catalogue error. `action` completes "Cannot …". An operator error passes through. */
export function fileError(cause: unknown, action: string): OperatorError {
  if (cause instanceof OperatorError) return cause;
  const systemCode = systemCodeOf(cause);
  const { code, hint } = MEANINGS[systemCode] ?? UNKNOWN;
  return new OperatorError(code, `Cannot ${action} (${systemCode})`, { hint, cause });
}

/** The `code` Node puts on a failed system call, such as `ENOENT`. */
export function systemCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
}
