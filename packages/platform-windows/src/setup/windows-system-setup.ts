import type { SystemSetup, SystemRegistry, RegistryContent } from '@fenestra/platform';
import type { Native } from '../native.ts';
import { machinePath } from '../registry/machine-path.ts';
import {
  deleteKey,
  deleteValue,
  hasKey,
  readValue,
  writeValues,
  decodeText,
  encodeText,
  REG,
  type RegistryValue,
} from '../registry/registry.ts';
import { packageInstaller } from './package-installer.ts';

/** What Windows keeps of itself: its registry, its search path, and what its own installer has installed. */
export function windowsSystemSetup(native: Native): SystemSetup {
  const path = machinePath(native);
  return {
    registry: systemRegistry(native),
    searchPath: {
      entries: async () => path.entries(),
      add: async (folder) => void path.add(folder),
      remove: async (folder) => void path.remove(folder),
    },
    packages: packageInstaller(native),
  };
}

function systemRegistry(native: Native): SystemRegistry {
  return {
    async read(key, name) {
      const value = readValue(native, key, name);
      return value === undefined ? undefined : contentOf(value);
    },
    write: async (key, name, content) => writeValues(native, key, { [name]: valueOf(content) }),
    removeValue: async (key, name) => deleteValue(native, key, name),
    missingKeys: async (key) => keysAbove(key).filter((path) => !hasKey(native, path)),
    removeKey: async (key) => deleteKey(native, key),
  };
}

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
