import { join } from 'node:path';
import type { Identity } from './identity/identity.ts';
import { kubeconfigFor } from './identity/kubeconfig.ts';
import { openIdentity } from './identity/open-identity.ts';
import { createObjectService } from './objects/create-object-service.ts';
import type { ExtensionContext, Extensions } from './objects/extensions.ts';
import { startGarbageCollector } from './objects/garbage/garbage-collector.ts';
import type { Decision, ObjectChange, User } from './objects/gatekeeper.ts';
import { createKindRegistry } from './objects/kind-registry.ts';
import type { KubeObject } from './objects/kube-object.ts';
import { resourceName } from './objects/resource-kind.ts';
import { startApiServer } from './rest/api-server.ts';
import type { Api } from './rest/exchange.ts';
import type { Kubelite, KubeliteOptions } from './kubelite.ts';
import { protobufReader } from './rest/protobuf/decode-object.ts';
import { openObjectStore, type ObjectStore } from './store/object-store.ts';
import { createEventLines } from './watch/event-lines.ts';
import { createWatchHub, type WatchHub } from './watch/watch-hub.ts';

/** Makes everything that turns the generic server into a particular API; it adds the kinds to the registry. */
export type CreateExtensions = (context: ExtensionContext) => Extensions;

const LOCAL_NAMES = ['localhost', '127.0.0.1', '::1', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'];
const WILDCARDS = new Set(['0.0.0.0', '::']);

/** Puts the API together and starts it; aborting the signal closes all of it. */
export async function assemble(
  options: KubeliteOptions,
  createExtensions: CreateExtensions,
  signal: AbortSignal,
): Promise<Kubelite> {
  signal.throwIfAborted();
  const names = [...LOCAL_NAMES, options.address, ...(options.alternativeNames ?? [])];
  const wanted = [...new Set(names)].filter((name) => !WILDCARDS.has(name));
  const identity = await openIdentity(options.folder, wanted, options.now());
  const store = openObjectStore(join(options.folder, 'objects.db'), { log: options.log, now: options.now() });
  const stopping = new AbortController();
  const hub = createWatchHub(store);
  try {
    const api = createApi(options, createExtensions, identity, { store, hub });
    startGarbageCollector(api, stopping.signal);
    await api.extensions.start(stopping.signal);
    const server = await startApiServer(api, identity, options);
    const close = once(async () => {
      stopping.abort();
      hub.close();
      await server.close();
      store.close();
    });
    signal.addEventListener('abort', () => void close(), { once: true });
    return { url: server.url, caCertificate: identity.ca.certificate, ...kubeconfigs(server.url, identity), close };
  } catch (error) {
    stopping.abort();
    store.close();
    throw error;
  }
}

function createApi(
  options: KubeliteOptions,
  createExtensions: CreateExtensions,
  identity: Identity,
  { store, hub }: { readonly store: ObjectStore; readonly hub: WatchHub },
): Api {
  const { log, folder } = options;
  const now = () => options.now();
  const registry = createKindRegistry();
  endWatchesOfRemoved(registry, hub);
  // The gatekeeper reads objects, and objects ask the gatekeeper: the first write comes after both are made.
  const admit = (user: User, change: ObjectChange): Decision => extensions.gatekeeper.admit(user, change);
  const onFollowerError = (error: unknown, { kind, metadata }: KubeObject) =>
    log.error('A controller failed on a change', { kind, name: metadata.name, cause: String(error) });
  const objects = createObjectService(store, hub, { now, admit, onFollowerError });
  const extensions = createExtensions({ registry, objects, identity, folder, log, now });
  return {
    store,
    hub,
    lines: createEventLines(),
    registry,
    objects,
    extensions,
    protobuf: protobufReader(),
    log,
    now,
  };
}

function endWatchesOfRemoved(registry: Api['registry'], hub: WatchHub): void {
  let served = new Set(registry.all().map(resourceName));
  registry.onChange(() => {
    const next = new Set(registry.all().map(resourceName));
    for (const resource of served) if (!next.has(resource)) hub.end(resource);
    served = next;
  });
}

function kubeconfigs(url: string, identity: Identity): Pick<Kubelite, 'adminKubeconfig' | 'cloudcoreKubeconfig'> {
  const { ca, admin, cloudcore } = identity;
  return {
    adminKubeconfig: kubeconfigFor(url, ca.certificate, 'kubernetes-admin', admin),
    cloudcoreKubeconfig: kubeconfigFor(url, ca.certificate, 'cloudcore', cloudcore),
  };
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}
