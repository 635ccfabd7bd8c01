import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createObjectService } from '../../objects/create-object-service.ts';
import type { JsonObject } from '../../objects/json.ts';
import type { KubeObject } from '../../objects/kube-object.ts';
import { SYSTEM_USER, type ObjectService } from '../../objects/object-service.ts';
import type { ResourceKind } from '../../objects/resource-kind.ts';
import { openObjectStore } from '../../store/object-store.ts';
import { serviceAccountTokens, type ServiceAccountTokens } from '../../tokens/service-account-tokens.ts';
import { createWatchHub } from '../../watch/watch-hub.ts';
import { builtInDefinitions } from '../built-in-definitions.ts';
import { builtInKinds, type BuiltInKinds } from '../built-in-kinds.ts';

/** The real store with the real kinds, in a temporary folder and without a server. */
export interface RealObjects {
  readonly objects: ObjectService;
  readonly kinds: BuiltInKinds;
  readonly tokens: ServiceAccountTokens;
  /** Stores an object; the namespace is `default` unless given. */
  create(kind: ResourceKind, name: string, fields?: JsonObject, namespace?: string): Promise<KubeObject>;
  close(): Promise<void>;
}

/** Opens an empty store with the namespaces `default`, `kube-system` and `kube-node-lease`. */
export async function openRealObjects(): Promise<RealObjects> {
  const folder = mkdtempSync(join(tmpdir(), 'fenestra-kinds-'));
  const store = openObjectStore(join(folder, 'objects.db'));
  const hub = createWatchHub(store);
  const objects = createObjectService(store, hub, { now: () => new Date(), admit: () => true });
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const tokens = serviceAccountTokens(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  const kinds = builtInKinds(builtInDefinitions(), tokens);
  const create: RealObjects['create'] = async (kind, name, fields = {}, namespace = 'default') => {
    const metadata = kind.namespaced ? { name, namespace } : { name };
    const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
    return objects.create(kind, { ...fields, apiVersion, kind: kind.kind, metadata }, { user: SYSTEM_USER });
  };
  for (const name of ['default', 'kube-system', 'kube-node-lease']) await create(kinds.namespace, name);
  return {
    objects,
    kinds,
    tokens,
    create,
    async close() {
      hub.close();
      store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
