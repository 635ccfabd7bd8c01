import type { Koffi, Out, Pointer } from '../native.ts';

/** Tokens, SIDs and security descriptors. */
export interface SecurityCalls {
  OpenProcessToken(process: Pointer, access: number, token: Out<Pointer | null>): number;
  GetTokenInformation(token: Pointer, level: number, buffer: Buffer | null, size: number, needed: Out<number>): number;
  LookupPrivilegeValueW(system: null, name: string, luid: Buffer): number;
  AdjustTokenPrivileges(token: Pointer, disableAll: 0, wanted: Buffer, size: 0, before: null, needed: null): number;
  ConvertSidToStringSidW(sid: Pointer, text: Out<Pointer | null>): number;
  ConvertStringSecurityDescriptorToSecurityDescriptorW(
    text: string,
    revision: 1,
    descriptor: Out<Pointer | null>,
    size: null,
  ): number;
  ConvertSecurityDescriptorToStringSecurityDescriptorW(
    descriptor: Pointer | Buffer,
    revision: 1,
    parts: number,
    text: Out<Pointer | null>,
    size: null,
  ): number;
  GetSecurityDescriptorOwner(descriptor: Pointer, owner: Out<Pointer | null>, defaulted: Out<number>): number;
  GetSecurityDescriptorDacl(
    descriptor: Pointer,
    present: Out<number>,
    dacl: Out<Pointer | null>,
    defaulted: Out<number>,
  ): number;
  /** Returns the error itself. */
  SetNamedSecurityInfoW(
    name: string,
    objectType: number,
    parts: number,
    owner: Pointer | null,
    group: null,
    dacl: Pointer | null,
    sacl: null,
  ): number;
  /** Returns the error itself; the descriptor is freed with LocalFree. */
  GetNamedSecurityInfoW(
    name: string,
    objectType: number,
    parts: number,
    owner: null,
    group: null,
    dacl: null,
    sacl: null,
    descriptor: Out<Pointer | null>,
  ): number;
}

/** Binds the security calls of advapi32. */
export function bindSecurityCalls(koffi: Koffi): SecurityCalls {
  const library = koffi.load('advapi32.dll');
  return {
    OpenProcessToken: library.func('int OpenProcessToken(void *process, uint32 access, _Out_ void **token)'),
    GetTokenInformation: library.func(
      'int GetTokenInformation(void *token, int level, void *buffer, uint32 size, _Out_ uint32 *needed)',
    ),
    LookupPrivilegeValueW: library.func('int LookupPrivilegeValueW(str16 system, str16 name, void *luid)'),
    AdjustTokenPrivileges: library.func(
      'int AdjustTokenPrivileges(void *token, int disableAll, void *wanted, uint32 size, void *before, void *needed)',
    ),
    ConvertSidToStringSidW: library.func('int ConvertSidToStringSidW(void *sid, _Out_ void **text)'),
    ConvertStringSecurityDescriptorToSecurityDescriptorW: library.func(
      'int ConvertStringSecurityDescriptorToSecurityDescriptorW(str16 text, uint32 revision, _Out_ void **descriptor, void *size)',
    ),
    ConvertSecurityDescriptorToStringSecurityDescriptorW: library.func(
      'int ConvertSecurityDescriptorToStringSecurityDescriptorW(void *descriptor, uint32 revision, uint32 parts, _Out_ void **text, void *size)',
    ),
    GetSecurityDescriptorOwner: library.func(
      'int GetSecurityDescriptorOwner(void *descriptor, _Out_ void **owner, _Out_ int *defaulted)',
    ),
    GetSecurityDescriptorDacl: library.func(
      'int GetSecurityDescriptorDacl(void *descriptor, _Out_ int *present, _Out_ void **dacl, _Out_ int *defaulted)',
    ),
    SetNamedSecurityInfoW: library.func(
      'uint32 SetNamedSecurityInfoW(str16 name, int objectType, uint32 parts, void *owner, void *group, void *dacl, void *sacl)',
    ),
    GetNamedSecurityInfoW: library.func(
      'uint32 GetNamedSecurityInfoW(str16 name, int objectType, uint32 parts, void *owner, void *group, void *dacl, void *sacl, _Out_ void **descriptor)',
    ),
  };
}
