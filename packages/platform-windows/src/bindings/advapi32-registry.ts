import type { Koffi, Out, Pointer } from '../native.ts';

/** The registry. Every call but the types' own returns the error itself. */
export interface RegistryCalls {
  RegOpenKeyExW(root: Pointer, path: string, options: 0, access: number, key: Out<Pointer | null>): number;
  RegCreateKeyExW(
    root: Pointer,
    path: string,
    reserved: 0,
    className: null,
    options: 0,
    access: number,
    security: null,
    key: Out<Pointer | null>,
    disposition: null,
  ): number;
  RegQueryValueExW(
    key: Pointer,
    name: string,
    reserved: null,
    type: Out<number>,
    buffer: Buffer | null,
    size: Out<number>,
  ): number;
  RegEnumValueW(
    key: Pointer,
    index: number,
    name: Buffer,
    nameSize: Out<number>,
    reserved: null,
    type: Out<number>,
    buffer: Buffer,
    size: Out<number>,
  ): number;
  RegSetValueExW(key: Pointer, name: string, reserved: 0, type: number, value: Buffer, size: number): number;
  RegDeleteValueW(key: Pointer, name: string): number;
  RegDeleteKeyW(root: Pointer, path: string): number;
  RegFlushKey(key: Pointer): number;
  RegCloseKey(key: Pointer): number;
}

/** Binds the registry calls of advapi32. */
export function bindRegistryCalls(koffi: Koffi): RegistryCalls {
  const library = koffi.load('advapi32.dll');
  return {
    RegOpenKeyExW: library.func(
      'int RegOpenKeyExW(void *root, str16 path, uint32 options, uint32 access, _Out_ void **key)',
    ),
    RegCreateKeyExW: library.func(
      'int RegCreateKeyExW(void *root, str16 path, uint32 reserved, str16 className, uint32 options, uint32 access, void *security, _Out_ void **key, void *disposition)',
    ),
    RegQueryValueExW: library.func(
      'int RegQueryValueExW(void *key, str16 name, void *reserved, _Out_ uint32 *type, void *buffer, _Inout_ uint32 *size)',
    ),
    RegEnumValueW: library.func(
      'int RegEnumValueW(void *key, uint32 index, void *name, _Inout_ uint32 *nameSize, void *reserved, _Out_ uint32 *type, void *buffer, _Inout_ uint32 *size)',
    ),
    RegSetValueExW: library.func(
      'int RegSetValueExW(void *key, str16 name, uint32 reserved, uint32 type, void *value, uint32 size)',
    ),
    RegDeleteValueW: library.func('int RegDeleteValueW(void *key, str16 name)'),
    RegDeleteKeyW: library.func('int RegDeleteKeyW(void *root, str16 path)'),
    RegFlushKey: library.func('int RegFlushKey(void *key)'),
    RegCloseKey: library.func('int RegCloseKey(void *key)'),
  };
}
