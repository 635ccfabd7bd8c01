import { waitUntil } from '@fenestra/platform';
import type { Native } from '../native.ts';
import { WIN32, win32CodeOf } from '../win32-error.ts';
import { deleteService } from './forget.ts';
import { SERVICE_ACCESS, withService } from './scm.ts';
import { stopService } from './stop.ts';

/** Stops the service, deletes it and returns once its name is free. An absent one is removed already. */
export async function removeService(native: Native, name: string, signal: AbortSignal): Promise<void> {
  await stopService(native, name, signal);
  if (!deleteIfThere(native, name)) return;
  // Somebody may have started it between the stop and the deletion, which would keep it alive.
  await stopService(native, name, signal);
  const activity = `waiting for service "${name}" to disappear (a program such as services.msc may still show it)`;
  await waitUntil(activity, () => isGone(native, name), signal);
}

/** Whether there was such a service. */
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
