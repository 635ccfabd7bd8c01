import { waitUntil } from '@fenestra/platform';
import type { Native, Pointer } from '../native.ts';
import { WIN32, win32CodeOf, win32Error } from '../win32-error.ts';
import { SERVICE_ACCESS, withService } from './scm.ts';
import { stopService } from './stop.ts';
import { NO_RECOVERY, toFailureActions } from './recovery.ts';

/** Stops the service, deletes it and returns once its name is free. An absent one is removed already. */
export async function removeService(native: Native, name: string, signal: AbortSignal): Promise<void> {
  await stopService(native, name, signal);
  if (!deleteIfThere(native, name)) return;
  // Someone may have started it between the stop and the deletion, which would keep it alive.
  await stopService(native, name, signal);
  const activity = `waiting for service "${name}" to disappear (a program such as services.msc may still show it)`;
  await waitUntil(activity, () => isGone(native, name), signal);
}

function deleteIfThere(native: Native, name: string): boolean {
  const deleted = withService(native, name, SERVICE_ACCESS.DELETE, (service) => {
    deleteService(native, service, name);
    return true;
  });
  return deleted ?? false;
}

function isGone(native: Native, name: string): boolean {
  try {
    return withService(native, name, SERVICE_ACCESS.QUERY_STATUS, () => true) === undefined;
  } catch (error) {
    if (win32CodeOf(error) === WIN32.SERVICE_MARKED_FOR_DELETE) return false;
    throw error;
  }
}

const ACCESS = SERVICE_ACCESS.CHANGE_CONFIG | SERVICE_ACCESS.DELETE;
const FAILURE_ACTIONS = 2;

/**
 * Marks the service for deletion without stopping it: the manager starts it no more, and drops it once its process has
 * ended, or at the next boot.
 */
export function forgetService(native: Native, name: string): void {
  withService(native, name, ACCESS, (service) => {
    forgoRecovery(native, service, name);
    deleteService(native, service, name);
  });
}

/** Marks an open service for deletion; one that is marked already is fine. */
function deleteService(native: Native, service: Pointer, name: string): void {
  orMarked(native, native.services.DeleteService(service), `delete service "${name}"`);
}

/** So that the service's end, however it comes, is not taken for a failure to be healed. */
function forgoRecovery(native: Native, service: Pointer, name: string): void {
  const changed = native.services.changeFailureActions(service, FAILURE_ACTIONS, toFailureActions(NO_RECOVERY));
  orMarked(native, changed, `take the recovery policy from service "${name}"`);
}

function orMarked(native: Native, result: number, action: string): void {
  if (result !== 0) return;
  const error = native.kernel32.GetLastError();
  if (error !== WIN32.SERVICE_MARKED_FOR_DELETE && error !== WIN32.INVALID_LEVEL) throw win32Error(error, action);
}
