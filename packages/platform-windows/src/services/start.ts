import { OperatorError } from '@fenestra/kernel';
import { waitUntil } from '@fenestra/platform';
import type { Pointer, Native } from '../native.ts';
import { WIN32, win32Error } from '../win32-error.ts';
import { CONTROL, sendControl, SERVICE_ACCESS, withExistingService } from './scm.ts';
import { isPaused, queryStatus, toState, toStatus } from './service-status.ts';

const ACCESS = SERVICE_ACCESS.START | SERVICE_ACCESS.QUERY_STATUS;
const CONTINUE_ACCESS = SERVICE_ACCESS.PAUSE_CONTINUE | SERVICE_ACCESS.QUERY_STATUS;

/** The service is on its way to another state, or has just ended. */
const PASSING: readonly number[] = [WIN32.SERVICE_CANNOT_ACCEPT_CTRL, WIN32.SERVICE_NOT_ACTIVE];

/** Starts the service and returns once it runs. `logs` is the command that shows what it reported. */
export async function startService(native: Native, name: string, logs: string, signal: AbortSignal): Promise<void> {
  const request = { name, access: ACCESS, action: `start service "${name}"` };
  const settled = () => withExistingService(native, request, (service) => isSettled(native, service));
  await waitUntil(`waiting for service "${name}" to finish stopping`, settled, signal);
  withExistingService(native, request, (service) => begin(native, service, name));
  withExistingService(native, { ...request, access: CONTINUE_ACCESS }, (service) => goOn(native, service, name));
  const running = () => withExistingService(native, request, (service) => isRunning(native, service, name, logs));
  await waitUntil(`waiting for service "${name}" to start`, running, signal);
}

/** A service that is stopping counts as running for the manager, which would then refuse to start it. */
function isSettled(native: Native, service: Pointer): boolean {
  return toState(queryStatus(native, service)) !== 'stopping';
}

/**
 * Blocks the thread until the program has connected to the manager, mostly well under a second and at most 30 s. On
 * another thread it would not block, but the reason of a failure is kept per thread and would be lost there.
 */
function begin(native: Native, service: Pointer, name: string): void {
  if (native.services.StartServiceW(service, 0, null) !== 0) return;
  const error = native.kernel32.GetLastError();
  if (error === WIN32.SERVICE_ALREADY_RUNNING) return;
  throw startError(error, name);
}

/** For the manager a paused service runs, so that it cannot be started; it is instructed to go on. */
function goOn(native: Native, service: Pointer, name: string): void {
  if (!isPaused(queryStatus(native, service))) return;
  const error = sendControl(native, service, CONTROL.CONTINUE);
  // Who has just ended or is just going on by itself is seen by anyone who waits for it.
  if (error !== 0 && !PASSING.includes(error)) throw win32Error(error, `continue service "${name}"`);
}

/** A program that is not there or cannot run is the service's failure, whatever the file error says. */
function startError(error: number, name: string): OperatorError {
  const known = win32Error(error, `start service "${name}"`);
  if (known.code !== 'PATH_NOT_FOUND') return known;
  const hint = 'Install the service again: its program no longer exists.';
  return new OperatorError('SERVICE_FAILED', known.message, { hint, cause: known, details: known.details });
}

function isRunning(native: Native, service: Pointer, name: string, logs: string): boolean {
  const { state, exitCode = 0, paused } = toStatus(queryStatus(native, service));
  if (state === 'running') return paused !== true;
  if (state === 'starting' || state === 'stopping') return false;
  throw new OperatorError('SERVICE_FAILED', `Cannot start service "${name}": it ended with exit code ${exitCode}`, {
    hint: `Read what the service reported: ${logs}`,
    details: { exitCode },
  });
}
