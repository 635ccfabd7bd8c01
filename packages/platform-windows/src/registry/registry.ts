import type { Pointer, Native } from '../native.ts';
import { WIN32, mustBeZero, win32Error } from '../win32-error.ts';

const LOCAL_MACHINE = 0xffff_ffff_8000_0002n;
// The 64-bit view, whatever the program is.
const READ = 0x20119;
const WRITE = 0x20106;
const MAX_NAME = 16_384;

/** A value under HKEY_LOCAL_MACHINE; `undefined` if the key or the value is absent. */
export function readValue(native: Native, path: string, name: string): RegistryValue | undefined {
  return withKey(native, path, READ, (key) => queryValue(native, key, name, `read "${name}" of "HKLM\\${path}"`));
}

/** A text value under HKEY_LOCAL_MACHINE. */
export function readText(native: Native, path: string, name: string): string | undefined {
  const value = readValue(native, path, name);
  return value?.type === REG.SZ || value?.type === REG.EXPAND_SZ ? decodeText(value.bytes) : undefined;
}

/** A number under HKEY_LOCAL_MACHINE. */
export function readNumber(native: Native, path: string, name: string): number | undefined {
  const value = readValue(native, path, name);
  return value?.type === REG.DWORD ? value.bytes.readUInt32LE(0) : undefined;
}

/** A list of strings under HKEY_LOCAL_MACHINE; an absent one is empty. */
export function readStrings(native: Native, path: string, name: string): string[] {
  const value = readValue(native, path, name);
  return value?.type === REG.MULTI_SZ ? decodeStrings(value.bytes) : [];
}

/** All texts of a key under HKEY_LOCAL_MACHINE; `undefined` if the key is absent. */
export function readTexts(native: Native, path: string): readonly string[] | undefined {
  return withKey(native, path, READ, (key) => {
    const texts: string[] = [];
    for (let index = 0; ; index += 1) {
      const value = valueAt(native, key, index, `read the values of "HKLM\\${path}"`);
      if (value === undefined) return texts;
      if (value.type === REG.SZ || value.type === REG.EXPAND_SZ) texts.push(decodeText(value.bytes));
    }
  });
}

/** Stores values under HKEY_LOCAL_MACHINE, creating the key, and flushes them to disk. */
export function writeValues(native: Native, path: string, values: Readonly<Record<string, RegistryValue>>): void {
  const { registry } = native;
  const action = `write to the registry key "HKLM\\${path}"`;
  const out: [Pointer | null] = [null];
  mustBeZero(registry.RegCreateKeyExW(LOCAL_MACHINE, path, 0, null, 0, WRITE, null, out, null), action);
  const key = opened(out, action);
  try {
    for (const [name, { type, bytes }] of Object.entries(values)) {
      mustBeZero(registry.RegSetValueExW(key, name, 0, type, bytes, bytes.length), action);
    }
    mustBeZero(registry.RegFlushKey(key), action);
  } finally {
    registry.RegCloseKey(key);
  }
}

/** Whether there is such a key under HKEY_LOCAL_MACHINE. */
export function hasKey(native: Native, path: string): boolean {
  return withKey(native, path, READ, () => true) === true;
}

/** Deletes a value under HKEY_LOCAL_MACHINE; an absent one is fine. */
export function deleteValue(native: Native, path: string, name: string): void {
  withKey(native, path, WRITE, (key) => {
    const error = native.registry.RegDeleteValueW(key, name);
    if (error !== WIN32.FILE_NOT_FOUND) mustBeZero(error, `delete "${name}" of "HKLM\\${path}"`);
  });
}

/** Deletes a key without subkeys under HKEY_LOCAL_MACHINE; an absent one is fine. */
export function deleteKey(native: Native, path: string): void {
  const error = native.registry.RegDeleteKeyW(LOCAL_MACHINE, path);
  if (error !== WIN32.FILE_NOT_FOUND) mustBeZero(error, `delete the registry key "HKLM\\${path}"`);
}

function withKey<T>(native: Native, path: string, access: number, use: (key: Pointer) => T): T | undefined {
  const out: [Pointer | null] = [null];
  const action = `open the registry key "HKLM\\${path}"`;
  const error = native.registry.RegOpenKeyExW(LOCAL_MACHINE, path, 0, access, out);
  if (error === WIN32.FILE_NOT_FOUND) return undefined;
  mustBeZero(error, action);
  const key = opened(out, action);
  try {
    return use(key);
  } finally {
    native.registry.RegCloseKey(key);
  }
}

function opened(out: readonly [Pointer | null], action: string): Pointer {
  if (out[0] === null) throw win32Error(WIN32.INVALID_PARAMETER, action);
  return out[0];
}

/** Asks again while the value grows between the question for its size and the one for its bytes. */
function queryValue(native: Native, key: Pointer, name: string, action: string): RegistryValue | undefined {
  let buffer = Buffer.alloc(1024);
  for (;;) {
    const type: [number] = [0];
    const size: [number] = [buffer.length];
    const error = native.registry.RegQueryValueExW(key, name, null, type, buffer, size);
    if (error === WIN32.FILE_NOT_FOUND) return undefined;
    if (error === 0) return { type: type[0], bytes: buffer.subarray(0, size[0]) };
    if (error !== WIN32.MORE_DATA) throw win32Error(error, action);
    buffer = Buffer.alloc(Math.max(size[0], buffer.length * 2));
  }
}

/** The value with this number; `undefined` after the last. The longest name a value can have is 16383 characters. */
function valueAt(native: Native, key: Pointer, index: number, action: string): RegistryValue | undefined {
  const name = Buffer.alloc(MAX_NAME * 2);
  let buffer = Buffer.alloc(4096);
  for (;;) {
    const type: [number] = [0];
    const size: [number] = [buffer.length];
    const error = native.registry.RegEnumValueW(key, index, name, [MAX_NAME], null, type, buffer, size);
    if (error === WIN32.NO_MORE_ITEMS) return undefined;
    if (error === 0) return { type: type[0], bytes: buffer.subarray(0, size[0]) };
    if (error !== WIN32.MORE_DATA) throw win32Error(error, action);
    buffer = Buffer.alloc(Math.max(size[0], buffer.length * 2));
  }
}

/** The registry's types of value that are used here. */
export const REG = { SZ: 1, EXPAND_SZ: 2, DWORD: 4, MULTI_SZ: 7 } as const;

/** A value as the registry holds it. */
export interface RegistryValue {
  readonly type: number;
  readonly bytes: Buffer;
}

/** One string, ended by a zero. */
export function encodeText(text: string): Buffer {
  return Buffer.from(`${text}\0`, 'utf16le');
}

/** A list of strings, each ended by a zero, and one more at the end; no strings are two zeros. */
export function encodeStrings(strings: readonly string[]): Buffer {
  const text = strings.map((string) => `${string}\0`).join('');
  return Buffer.from(text === '' ? '\0\0' : `${text}\0`, 'utf16le');
}

/** Text up to the first zero; what others stored may lack it. */
export function decodeText(bytes: Buffer): string {
  return bytes.toString('utf16le').split('\0', 1)[0] ?? '';
}

/** The strings up to the first empty one. */
export function decodeStrings(bytes: Buffer): string[] {
  const parts = bytes.toString('utf16le').split('\0');
  const end = parts.indexOf('');
  return end === -1 ? parts : parts.slice(0, end);
}
