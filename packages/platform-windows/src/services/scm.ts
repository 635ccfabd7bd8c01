import type { Pointer, Native } from '../native.ts';
import { WIN32, mustHave, win32Error } from '../win32-error.ts';

/** Rights to the manager itself. */
export const SCM_ACCESS = { CONNECT: 0x0001, CREATE_SERVICE: 0x0002 } as const;

/** Rights to one service; the least that does is asked for. */
export const SERVICE_ACCESS = {
  QUERY_CONFIG: 0x0001,
  CHANGE_CONFIG: 0x0002,
  QUERY_STATUS: 0x0004,
  START: 0x0010,
  STOP: 0x0020,
  PAUSE_CONTINUE: 0x0040,
  USER_CONTROL: 0x0100,
  DELETE: 0x10000,
  READ_CONTROL: 0x20000,
  ALL: 0xf01ff,
} as const;

/** Runs `use` with a handle to the Service Control Manager. */
export function withScm<T>(native: Native, access: number, use: (scm: Pointer) => T): T {
  const handle = native.services.OpenSCManagerW(null, null, access);
  const scm = mustHave(native, handle, 'open the Service Control Manager');
  try {
    return use(scm);
  } finally {
    native.services.CloseServiceHandle(scm);
  }
}

/** Runs `use` with a handle to the service; `undefined` if there is no such service. */
export function withService<T>(
  native: Native,
  name: string,
  access: number,
  use: (service: Pointer) => T,
): T | undefined {
  return withScm(native, SCM_ACCESS.CONNECT, (scm) => {
    const service = native.services.OpenServiceW(scm, name, access);
    if (service === null) return absentOrThrow(native.kernel32.GetLastError(), name);
    try {
      return use(service);
    } finally {
      // An open handle keeps a deleted service's name taken, so none outlives its use.
      native.services.CloseServiceHandle(service);
    }
  });
}

/** As `withService`, but an absent service is `SERVICE_NOT_FOUND`. */
export function withExistingService<T>(
  native: Native,
  request: { readonly name: string; readonly access: number; readonly action: string },
  use: (service: Pointer) => T,
): T {
  const answer = withService(native, request.name, request.access, (service) => ({ value: use(service) }));
  if (answer === undefined) throw win32Error(WIN32.SERVICE_DOES_NOT_EXIST, request.action);
  return answer.value;
}

function absentOrThrow(error: number, name: string): undefined {
  if (error === WIN32.SERVICE_DOES_NOT_EXIST) return undefined;
  throw win32Error(error, `open service "${name}"`);
}

const STATUS_SIZE = 28;

/** The controls our services understand. 128 is the first that a program may define; ours takes it as "reload". */
export const CONTROL = { STOP: 1, CONTINUE: 3, INTERROGATE: 4, SHUTDOWN: 5, PRESHUTDOWN: 15, RELOAD: 128 } as const;

/** Sends a control to an open service and returns the error, 0 for none. */
export function sendControl(native: Native, service: Pointer, control: number): number {
  const sent = native.services.ControlService(service, control, Buffer.alloc(STATUS_SIZE));
  return sent === 0 ? native.kernel32.GetLastError() : 0;
}
