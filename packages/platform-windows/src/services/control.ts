import type { Pointer } from '../koffi.ts';
import type { Native } from '../native.ts';

const STATUS_SIZE = 28;

/** The controls our services understand. 128 is the first that a program may define; ours takes it as "reload". */
export const CONTROL = { STOP: 1, CONTINUE: 3, INTERROGATE: 4, SHUTDOWN: 5, PRESHUTDOWN: 15, RELOAD: 128 } as const;

/** Sends a control to an open service and returns the error, 0 for none. */
export function sendControl(native: Native, service: Pointer, control: number): number {
  const sent = native.services.ControlService(service, control, Buffer.alloc(STATUS_SIZE));
  return sent === 0 ? native.kernel32.GetLastError() : 0;
}
