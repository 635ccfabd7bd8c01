import type { Pointer } from '../koffi.ts';
import type { Native } from '../native.ts';
import { WIN32, win32Error } from '../win32-error.ts';
import { NO_RECOVERY, toFailureActions } from './recovery.ts';
import { SERVICE_ACCESS, withService } from './scm.ts';

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
export function deleteService(native: Native, service: Pointer, name: string): void {
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
