import { silentLogger } from '@fenestra/platform';
import type { MetaStore } from '../store/meta-store.ts';
import { type MetaStoreOptions, openMetaStore } from '../store/open-meta-store.ts';

/** Opens a store that says nothing. */
export function openStore(file: string, options: Partial<MetaStoreOptions> = {}): MetaStore {
  return openMetaStore(file, { log: silentLogger(), now: () => new Date(), ...options });
}
