import type { Koffi, Out, Pointer } from '../koffi.ts';

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

/** The part of QUERY_SERVICE_CONFIGW that is read. */
interface ServiceConfigRecord {
  readonly type: number;
  readonly startType: number;
  readonly commandLine: string;
  readonly account: string | null;
  readonly displayName: string;
}

/** SERVICE_FAILURE_ACTIONSW; delays are milliseconds. */
export interface FailureActionsRecord {
  readonly resetSeconds: number;
  readonly actions: readonly { readonly type: number; readonly delay: number }[];
}

/** The Service Control Manager's calls that manage services. */
export interface ServiceCalls {
  OpenSCManagerW(machine: null, database: null, access: number): Pointer | null;
  CreateServiceW(...args: CreateServiceArguments): Pointer | null;
  OpenServiceW(scm: Pointer, name: string, access: number): Pointer | null;
  ChangeServiceConfigW(...args: ChangeServiceArguments): number;
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
  QueryServiceConfigW(service: Pointer, buffer: Buffer | null, size: number, needed: Out<number>): number;
  QueryServiceConfig2W(
    service: Pointer,
    level: number,
    buffer: Buffer | null,
    size: number,
    needed: Out<number>,
  ): number;
  /** ChangeServiceConfig2W for the levels that hold one number. */
  changeNumber(service: Pointer, level: number, setting: { value: number }): number;
  /** ChangeServiceConfig2W for the description, level 1. */
  changeDescription(service: Pointer, level: 1, setting: { text: string }): number;
  /** ChangeServiceConfig2W for the failure actions, level 2. */
  changeFailureActions(service: Pointer, level: 2, setting: FailureActionsArgument): number;
  SetServiceObjectSecurity(service: Pointer, parts: number, descriptor: Pointer): number;
  QueryServiceObjectSecurity(
    service: Pointer,
    parts: number,
    buffer: Buffer | null,
    size: number,
    needed: Out<number>,
  ): number;
  decodeConfig(buffer: Buffer): ServiceConfigRecord;
  decodeDescription(buffer: Buffer): string;
  decodeFailureActions(buffer: Buffer): FailureActionsRecord;
}

/** SERVICE_FAILURE_ACTIONSW as koffi takes it. */
export interface FailureActionsArgument {
  readonly resetSeconds: number;
  readonly rebootMessage: null;
  readonly command: null;
  readonly count: number;
  readonly actions: readonly { readonly type: number; readonly delay: number }[];
}

type CreateServiceArguments = [
  scm: Pointer,
  name: string,
  displayName: string,
  access: number,
  type: number,
  startType: number,
  errorControl: number,
  commandLine: string,
  group: null,
  tag: null,
  dependencies: Buffer,
  account: string,
  password: null,
];

type ChangeServiceArguments = [
  service: Pointer,
  type: number,
  startType: number,
  errorControl: number,
  commandLine: string | null,
  group: null,
  tag: null,
  dependencies: Buffer | null,
  account: string | null,
  password: string | null,
  displayName: string | null,
];

/** Binds the service calls of advapi32. */
export function bindServiceCalls(koffi: Koffi): ServiceCalls {
  const library = koffi.load('advapi32.dll');
  const types = serviceTypes(koffi);
  const change = (type: ReturnType<Koffi['struct']>) =>
    library.func('ChangeServiceConfig2W', 'int', ['void *', 'uint32', koffi.pointer(type)]);
  return {
    OpenSCManagerW: library.func('void *OpenSCManagerW(str16 machine, str16 database, uint32 access)'),
    CreateServiceW: library.func(
      'void *CreateServiceW(void *scm, str16 name, str16 display, uint32 access, uint32 type, uint32 start, uint32 error, str16 command, str16 group, void *tag, void *dependencies, str16 account, str16 password)',
    ),
    OpenServiceW: library.func('void *OpenServiceW(void *scm, str16 name, uint32 access)'),
    ChangeServiceConfigW: library.func(
      'int ChangeServiceConfigW(void *service, uint32 type, uint32 start, uint32 error, str16 command, str16 group, void *tag, void *dependencies, str16 account, str16 password, str16 display)',
    ),
    StartServiceW: library.func('int StartServiceW(void *service, uint32 count, void *args)'),
    ControlService: library.func('int ControlService(void *service, uint32 control, void *status)'),
    DeleteService: library.func('int DeleteService(void *service)'),
    CloseServiceHandle: library.func('int CloseServiceHandle(void *handle)'),
    QueryServiceStatusEx: library.func('QueryServiceStatusEx', 'int', [
      'void *',
      'int',
      koffi.out(koffi.pointer(types.status)),
      'uint32',
      koffi.out('uint32 *'),
    ]),
    QueryServiceConfigW: library.func(
      'int QueryServiceConfigW(void *service, void *buffer, uint32 size, _Out_ uint32 *needed)',
    ),
    QueryServiceConfig2W: library.func(
      'int QueryServiceConfig2W(void *service, uint32 level, void *buffer, uint32 size, _Out_ uint32 *needed)',
    ),
    changeNumber: change(types.number),
    changeDescription: change(types.description),
    changeFailureActions: change(types.failureActions),
    SetServiceObjectSecurity: library.func(
      'int SetServiceObjectSecurity(void *service, uint32 parts, void *descriptor)',
    ),
    QueryServiceObjectSecurity: library.func(
      'int QueryServiceObjectSecurity(void *service, uint32 parts, void *buffer, uint32 size, _Out_ uint32 *needed)',
    ),
    decodeConfig: (buffer) => koffi.decode(buffer, types.config),
    decodeDescription: (buffer) => koffi.decode(buffer, types.description).text ?? '',
    decodeFailureActions: (buffer) => decodeFailureActions(koffi, types, buffer),
  };
}

function serviceTypes(koffi: Koffi) {
  const action = koffi.struct({ type: 'int', delay: 'uint32' });
  const failure = { resetSeconds: 'uint32', rebootMessage: 'str16', command: 'str16', count: 'uint32' };
  return {
    action,
    failureActions: koffi.struct({ ...failure, actions: koffi.pointer(action) }),
    number: koffi.struct({ value: 'uint32' }),
    description: koffi.struct({ text: 'str16' }),
    status: koffi.struct({
      type: 'uint32',
      state: 'uint32',
      accepts: 'uint32',
      exitCode: 'uint32',
      specificExitCode: 'uint32',
      checkPoint: 'uint32',
      waitHint: 'uint32',
      pid: 'uint32',
      flags: 'uint32',
    }),
    config: koffi.struct({
      type: 'uint32',
      startType: 'uint32',
      errorControl: 'uint32',
      commandLine: 'str16',
      group: 'str16',
      tag: 'uint32',
      dependencies: 'void *',
      account: 'str16',
      displayName: 'str16',
    }),
  };
}

function decodeFailureActions(
  koffi: Koffi,
  types: ReturnType<typeof serviceTypes>,
  buffer: Buffer,
): FailureActionsRecord {
  const { resetSeconds, count, actions } = koffi.decode(buffer, types.failureActions);
  return { resetSeconds, actions: count > 0 ? koffi.decode(actions, types.action, count) : [] };
}
