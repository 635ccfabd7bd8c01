import type { Koffi, Out, Pointer } from '../native.ts';

/** SERVICE_FAILURE_ACTIONSW; delays are milliseconds. */
export interface FailureActionsRecord {
  readonly resetSeconds: number;
  readonly actions: readonly { readonly type: number; readonly delay: number }[];
}

/** SERVICE_FAILURE_ACTIONSW as koffi takes it. */
export interface FailureActionsArgument extends FailureActionsRecord {
  readonly rebootMessage: null;
  readonly command: null;
  readonly count: number;
}

/** The settings that creation does not take: description, recovery, numbers, rights. */
export interface ServiceExtrasCalls {
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
  /** ChangeServiceConfig2W for the privileges, level 6: texts that each end with a zero, and one zero more. */
  changePrivileges(service: Pointer, level: 6, setting: { names: Buffer }): number;
  SetServiceObjectSecurity(service: Pointer, parts: number, descriptor: Pointer): number;
  QueryServiceObjectSecurity(
    service: Pointer,
    parts: number,
    buffer: Buffer | null,
    size: number,
    needed: Out<number>,
  ): number;
  decodeDescription(buffer: Buffer): string;
  decodeFailureActions(buffer: Buffer): FailureActionsRecord;
}

/** Binds the calls for what a service may have besides. */
export function bindServiceExtrasCalls(koffi: Koffi): ServiceExtrasCalls {
  const library = koffi.load('advapi32.dll');
  const types = extrasTypes(koffi);
  const change = (type: ReturnType<Koffi['struct']>) =>
    library.func('ChangeServiceConfig2W', 'int', ['void *', 'uint32', koffi.pointer(type)]);
  return {
    QueryServiceConfig2W: library.func(
      'int QueryServiceConfig2W(void *service, uint32 level, void *buffer, uint32 size, _Out_ uint32 *needed)',
    ),
    changeNumber: change(types.number),
    changeDescription: change(types.description),
    changeFailureActions: change(types.failureActions),
    changePrivileges: change(types.privileges),
    SetServiceObjectSecurity: library.func(
      'int SetServiceObjectSecurity(void *service, uint32 parts, void *descriptor)',
    ),
    QueryServiceObjectSecurity: library.func(
      'int QueryServiceObjectSecurity(void *service, uint32 parts, void *buffer, uint32 size, _Out_ uint32 *needed)',
    ),
    decodeDescription: (buffer) => koffi.decode(buffer, types.description).text ?? '',
    decodeFailureActions: (buffer) => decodeFailureActions(koffi, types, buffer),
  };
}

function extrasTypes(koffi: Koffi) {
  const action = koffi.struct({ type: 'int', delay: 'uint32' });
  const failure = { resetSeconds: 'uint32', rebootMessage: 'str16', command: 'str16', count: 'uint32' };
  return {
    action,
    failureActions: koffi.struct({ ...failure, actions: koffi.pointer(action) }),
    number: koffi.struct({ value: 'uint32' }),
    description: koffi.struct({ text: 'str16' }),
    privileges: koffi.struct({ names: 'void *' }),
  };
}

function decodeFailureActions(
  koffi: Koffi,
  types: ReturnType<typeof extrasTypes>,
  buffer: Buffer,
): FailureActionsRecord {
  const { resetSeconds, count, actions } = koffi.decode(buffer, types.failureActions);
  return { resetSeconds, actions: count > 0 ? koffi.decode(actions, types.action, count) : [] };
}
