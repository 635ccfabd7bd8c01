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
