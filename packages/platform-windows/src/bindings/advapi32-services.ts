import type { Koffi, Out, Pointer } from '../native.ts';
import { bindServiceConfigCalls, type ServiceConfigCalls } from './advapi32-service-config.ts';
import { bindServiceExtrasCalls, type ServiceExtrasCalls } from './advapi32-service-extras.ts';

/** The Service Control Manager's calls that manage services. */
export type ServiceCalls = ServiceControlCalls & ServiceConfigCalls & ServiceExtrasCalls;

/** Binds the service calls of advapi32. */
export function bindServiceCalls(koffi: Koffi): ServiceCalls {
  return { ...bindServiceControlCalls(koffi), ...bindServiceConfigCalls(koffi), ...bindServiceExtrasCalls(koffi) };
}

/** SERVICE_STATUS_PROCESS. */
export interface ServiceStatusRecord {
  type: number;
  state: number;
  accepts: number;
  exitCode: number;
  specificExitCode: number;
  checkPoint: number;
  waitHint: number;
  pid: number;
  flags: number;
}

/** Opening, starting, telling and deleting services. */
export interface ServiceControlCalls {
  OpenSCManagerW(machine: null, database: null, access: number): Pointer | null;
  OpenServiceW(scm: Pointer, name: string, access: number): Pointer | null;
  StartServiceW(service: Pointer, count: number, args: null): number;
  ControlService(service: Pointer, control: number, status: Buffer): number;
  DeleteService(service: Pointer): number;
  CloseServiceHandle(handle: Pointer): number;
  QueryServiceStatusEx(
    service: Pointer,
    level: 0,
    status: ServiceStatusRecord,
    size: number,
    needed: Out<number>,
  ): number;
}

function bindServiceControlCalls(koffi: Koffi): ServiceControlCalls {
  const library = koffi.load('advapi32.dll');
  const status = koffi.out(koffi.pointer(statusType(koffi)));
  return {
    OpenSCManagerW: library.func('void *OpenSCManagerW(str16 machine, str16 database, uint32 access)'),
    OpenServiceW: library.func('void *OpenServiceW(void *scm, str16 name, uint32 access)'),
    StartServiceW: library.func('int StartServiceW(void *service, uint32 count, void *args)'),
    ControlService: library.func('int ControlService(void *service, uint32 control, void *status)'),
    DeleteService: library.func('int DeleteService(void *service)'),
    CloseServiceHandle: library.func('int CloseServiceHandle(void *handle)'),
    QueryServiceStatusEx: library.func('QueryServiceStatusEx', 'int', [
      'void *',
      'int',
      status,
      'uint32',
      koffi.out('uint32 *'),
    ]),
  };
}

function statusType(koffi: Koffi) {
  return koffi.struct({
    type: 'uint32',
    state: 'uint32',
    accepts: 'uint32',
    exitCode: 'uint32',
    specificExitCode: 'uint32',
    checkPoint: 'uint32',
    waitHint: 'uint32',
    pid: 'uint32',
    flags: 'uint32',
  });
}
