import { waitUntil } from '@fenestra/platform';
import type { ServiceStatusRecord } from '../bindings/advapi32-services.ts';
import type { Pointer, Native } from '../native.ts';
import { WIN32, win32Error } from '../win32-error.ts';
import { CONTROL, sendControl, SERVICE_ACCESS, withService } from './scm.ts';
import { ownsProcess, queryStatus, toState } from './service-status.ts';

const ACCESS = SERVICE_ACCESS.STOP | SERVICE_ACCESS.QUERY_STATUS;
/** The service is on its way to another state and takes the control later, or has just ended. */
const NOT_NOW: readonly number[] = [
  WIN32.INVALID_SERVICE_CONTROL,
  WIN32.SERVICE_CANNOT_ACCEPT_CTRL,
  WIN32.SERVICE_NOT_ACTIVE,
];

/** Stops the service and returns once it is stopped and its process gone. An absent one is stopped. */
export async function stopService(native: Native, name: string, signal: AbortSignal): Promise<void> {
  const stop = stopping(native, name);
  try {
    await waitUntil(`waiting for service "${name}" to stop`, stop.isStopped, signal);
    await waitUntil(`waiting for the process of service "${name}" to end`, stop.isProcessGone, signal);
  } finally {
    stop.close();
  }
}

/** One stop under way. The control is sent until the service has taken it, and never again: Wine kills who gets two. */
function stopping(native: Native, name: string) {
  let watched: WaitedProcess | undefined;
  let taken = false;
  const look = (service: Pointer): boolean => {
    const status = queryStatus(native, service);
    watched ??= watchProcess(native, status);
    if (isIdle(status)) return true;
    taken ||= toState(status) === 'stopping' || askToStop(native, service, name);
    return false;
  };
  return {
    isStopped: () => withService(native, name, ACCESS, look) ?? true,
    isProcessGone: () => watched?.hasEnded() ?? true,
    close: () => watched?.close(),
  };
}

function isIdle(status: ServiceStatusRecord): boolean {
  const state = toState(status);
  return state === 'stopped' || state === 'failed';
}

/** The process is opened while it runs: a stopped service no longer shows which one it was. */
function watchProcess(native: Native, status: ServiceStatusRecord): WaitedProcess | undefined {
  return status.pid !== 0 && ownsProcess(status) ? openForWaiting(native, status.pid) : undefined;
}

function askToStop(native: Native, service: Pointer, name: string): boolean {
  const error = sendControl(native, service, CONTROL.STOP);
  if (error !== 0 && !NOT_NOW.includes(error)) throw win32Error(error, `stop service "${name}"`);
  return error === 0;
}

const SYNCHRONIZE = 0x100000;
const ENDED = 0;

/** A process whose end can be seen, even after its number belongs to another. */
export interface WaitedProcess {
  hasEnded(): boolean;
  close(): void;
}

/** Opens a process to watch for its end; `undefined` if it is gone or hidden from us. */
function openForWaiting(native: Native, pid: number): WaitedProcess | undefined {
  const { kernel32 } = native;
  const handle = kernel32.OpenProcess(SYNCHRONIZE, 0, pid);
  if (handle === null) return undefined;
  return {
    hasEnded: () => kernel32.WaitForSingleObject(handle, 0) === ENDED,
    close: () => void kernel32.CloseHandle(handle),
  };
}
