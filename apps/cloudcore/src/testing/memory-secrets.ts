import type { SecretData, SecretStore } from '@fenestra/lifecycle/cloud';

/** Secrets in memory, for tests and benchmarks that have no Kubernetes API. `fail` makes the next calls fail. */
export interface MemorySecrets extends SecretStore {
  readonly secrets: Map<string, SecretData>;
  failures: number;
}

/** Opens an empty store. */
export function memorySecrets(): MemorySecrets {
  const secrets = new Map<string, SecretData>();
  const store: MemorySecrets = {
    secrets,
    failures: 0,
    async read(name) {
      mayFail(store);
      return secrets.get(name);
    },
    async update(name, change) {
      mayFail(store);
      const changed = change(secrets.get(name));
      secrets.set(name, changed);
      return changed;
    },
  };
  return store;
}

function mayFail(store: MemorySecrets): void {
  if (store.failures === 0) return;
  store.failures -= 1;
  throw new Error('the API server is away');
}
