import type { RegistryContent } from '@fenestra/platform';
import { decodeText, encodeText, REG, type RegistryValue } from '../registry/registry-values.ts';

const NUMBER_BYTES = 4;

/** A value as the port has it. */
export function contentOf({ type, bytes }: RegistryValue): RegistryContent {
  if (type === REG.DWORD && bytes.length === NUMBER_BYTES) return { type: 'number', value: bytes.readUInt32LE(0) };
  if (type === REG.SZ) return { type: 'text', value: decodeText(bytes) };
  return { type: 'other', code: type, base64: bytes.toString('base64') };
}

/** The same, back. */
export function valueOf(content: RegistryContent): RegistryValue {
  switch (content.type) {
    case 'number': {
      const bytes = Buffer.alloc(NUMBER_BYTES);
      bytes.writeUInt32LE(content.value);
      return { type: REG.DWORD, bytes };
    }
    case 'text':
      return { type: REG.SZ, bytes: encodeText(content.value) };
    case 'other':
      return { type: content.code, bytes: Buffer.from(content.base64, 'base64') };
  }
}

/** A key and those above it, the topmost first. */
export function keysAbove(key: string): readonly string[] {
  const parts = key.split('\\');
  return parts.map((_, index) => parts.slice(0, index + 1).join('\\'));
}
