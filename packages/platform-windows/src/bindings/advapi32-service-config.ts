import type { Koffi, Out, Pointer } from '../native.ts';

interface ServiceConfigRecord {
  readonly type: number;
  readonly startType: number;
  readonly commandLine: string;
  readonly account: string | null;
  readonly displayName: string;
}

/** Registering a service, and its main settings. */
export interface ServiceConfigCalls {
  CreateServiceW(...args: CreateServiceArguments): Pointer | null;
  ChangeServiceConfigW(...args: ChangeServiceArguments): number;
  QueryServiceConfigW(service: Pointer, buffer: Buffer | null, size: number, needed: Out<number>): number;
  decodeConfig(buffer: Buffer): ServiceConfigRecord;
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

/** Binds the calls for what every service has. */
export function bindServiceConfigCalls(koffi: Koffi): ServiceConfigCalls {
  const library = koffi.load('advapi32.dll');
  const config = configType(koffi);
  return {
    CreateServiceW: library.func(
      'void *CreateServiceW(void *scm, str16 name, str16 display, uint32 access, uint32 type, uint32 start, uint32 error, str16 command, str16 group, void *tag, void *dependencies, str16 account, str16 password)',
    ),
    ChangeServiceConfigW: library.func(
      'int ChangeServiceConfigW(void *service, uint32 type, uint32 start, uint32 error, str16 command, str16 group, void *tag, void *dependencies, str16 account, str16 password, str16 display)',
    ),
    QueryServiceConfigW: library.func(
      'int QueryServiceConfigW(void *service, void *buffer, uint32 size, _Out_ uint32 *needed)',
    ),
    decodeConfig: (buffer) => koffi.decode(buffer, config),
  };
}

function configType(koffi: Koffi) {
  return koffi.struct({
    type: 'uint32',
    startType: 'uint32',
    errorControl: 'uint32',
    commandLine: 'str16',
    group: 'str16',
    tag: 'uint32',
    dependencies: 'void *',
    account: 'str16',
    displayName: 'str16',
  });
}
