import type { ProcessIdentity } from '@fenestra/platform';
import type { Native } from '../native.ts';
import { WIN32, must, win32CodeOf, win32Error } from '../win32-error.ts';

const QUERY_LIMITED = 0x1000;
const SYNCHRONIZE = 0x100000;
const ENDED = 0;
const FILETIME_SIZE = 8;

/** Whether exactly this process still runs. */
export function isAlive(native: Native, { pid, startedAt, bootId }: ProcessIdentity): boolean {
  // The boot first: a number of an earlier one says nothing about who has it now.
  return isSameBoot(readBootId(native), bootId) && startTimeIfAllowed(native, pid) === startedAt;
}

/** A process as the system tells it apart; `undefined` if there is none with this number. */
export function identify(native: Native, pid: number): ProcessIdentity | undefined {
  const startedAt = startTimeOf(native, pid);
  return startedAt === undefined ? undefined : { pid, startedAt, bootId: readBootId(native) };
}

/**
 * When the kernel's own first process began. Unlike a boot time reckoned from the clock and the uptime it never
 * moves; only administrators may ask.
 */
export function readBootId(native: Native): string {
  return startTimeIfAllowed(native, SYSTEM_PROCESS) ?? UNKNOWN_BOOT;
}

/**
 * A process that we may not open is not the one meant: an administrator may look at every program of ours, so the
 * number has gone to someone else, whom no one should wait for.
 */
function startTimeIfAllowed(native: Native, pid: number): string | undefined {
  try {
    return startTimeOf(native, pid);
  } catch (error) {
    if (win32CodeOf(error) === WIN32.ACCESS_DENIED) return undefined;
    throw error;
  }
}

/** When a living process was created, in units of 100 ns. */
function startTimeOf(native: Native, pid: number): string | undefined {
  const { kernel32 } = native;
  const handle = kernel32.OpenProcess(QUERY_LIMITED | SYNCHRONIZE, 0, pid);
  if (handle === null) return goneOrThrow(kernel32.GetLastError(), pid);
  try {
    // A process stays known under its number as long as someone has it open, even after its end.
    if (kernel32.WaitForSingleObject(handle, 0) === ENDED) return undefined;
    const [created, exited, kernel, user] = [filetime(), filetime(), filetime(), filetime()];
    must(native, kernel32.GetProcessTimes(handle, created, exited, kernel, user), `read when process ${pid} began`);
    return `${created.readBigUInt64LE(0)}`;
  } finally {
    kernel32.CloseHandle(handle);
  }
}

function filetime(): Buffer {
  return Buffer.alloc(FILETIME_SIZE);
}

function goneOrThrow(error: number, pid: number): undefined {
  if (error === WIN32.INVALID_PARAMETER) return undefined;
  throw win32Error(error, `open process ${pid}`);
}

/** The process that the kernel makes first of all, and that exists as long as the system does. */
const SYSTEM_PROCESS = 4;

/** What stands for a boot that the system does not tell us about. */
const UNKNOWN_BOOT = 'unknown';

/** Whether two boots may be the same one: where either is unknown, the start time of a process has to do. */
export function isSameBoot(left: string, right: string): boolean {
  return left === right || left === UNKNOWN_BOOT || right === UNKNOWN_BOOT;
}
