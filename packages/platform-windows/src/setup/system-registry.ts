import type { SystemRegistry } from '@fenestra/platform';
import type { Native } from '../native.ts';
import { deleteKey, deleteValue, hasKey, readValue, writeValues } from '../registry/registry.ts';
import { contentOf, keysAbove, valueOf } from './registry-content.ts';

/** The registry of the whole machine, in its 64-bit view. */
export function systemRegistry(native: Native): SystemRegistry {
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
