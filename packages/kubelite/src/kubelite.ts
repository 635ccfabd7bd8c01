import { join } from 'node:path';
import type { Logger } from '@fenestra/platform';
import { type Identity, kubeconfigFor, openIdentity } from './identity/open-identity.ts';
import { createExtensions } from './kinds/extensions.ts';
import { createObjectService } from './objects/create-object-service.ts';
import type { ExtensionContext, Extensions } from './objects/extensions.ts';
import { startGarbageCollector } from './objects/garbage/garbage-collector.ts';
import { createKindRegistry, type Decision, type ObjectChange, type User } from './objects/gatekeeper.ts';
import type { KubeObject } from './objects/kube-object.ts';
import { resourceName } from './objects/resource-kind.ts';
import { startApiServer } from './rest/api-server.ts';
import type { Api } from './rest/exchange.ts';
import { protobufReader } from './rest/protobuf/decode-object.ts';
import { type ObjectStore, openObjectStore } from './store/object-store.ts';
import { createEventLines } from './watch/event-lines.ts';
import { createWatchHub, type WatchHub } from './watch/watch-hub.ts';

/** Where the embedded API lives. */
export interface KubeliteOptions {
  /** Holds the database, the CA and every key. Made 0700 if it is not there. */
  readonly folder: string;
  /** The address to listen on, such as `127.0.0.1`. */
  readonly address: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Further names and addresses that the serving certificate is for. */
  readonly alternativeNames?: readonly string[];
  readonly log: Logger;
  now(): Date;
}

/** A running embedded API. */
export interface Kubelite {
  /** `https://127.0.0.1:6443`. */
  readonly url: string;
  /** PEM. */
  readonly caCertificate: string;
  /** YAML of a kubeconfig for the administrator: holds a key. */
  readonly adminKubeconfig: string;
  /** YAML of a kubeconfig for cloudcore: holds a key. */
  readonly cloudcoreKubeconfig: string;
  /** Ends watches, lets requests finish for a moment, closes the database. Safe to call twice. */
  close(): Promise<void>;
}

/** Makes everything that turns the generic server into a particular API; it adds the kinds to the registry. */
type CreateExtensions = (context: ExtensionContext) => Extensions;

const LOCAL_NAMES = ['localhost', '127.0.0.1', '::1', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'];
const WILDCARDS = new Set(['0.0.0.0', '::']);

/** Starts the embedded API and resolves once it answers. What it has acknowledged survives any kill. Aborting closes it. */
export async function startKubelite(
  options: KubeliteOptions,
  signal: AbortSignal,
  extend: CreateExtensions = createExtensions,
): Promise<Kubelite> {
  signal.throwIfAborted();
  const names = [...LOCAL_NAMES, options.address, ...(options.alternativeNames ?? [])];
  const wanted = [...new Set(names)].filter((name) => !WILDCARDS.has(name));
  const identity = await openIdentity(options.folder, wanted, options.now());
  const store = openObjectStore(join(options.folder, 'objects.db'), { log: options.log, now: options.now() });
  const stopping = new AbortController();
  const hub = createWatchHub(store);
  try {
    const api = createApi(options, extend, identity, { store, hub });
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
  extend: CreateExtensions,
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
  const extensions = extend({ registry, objects, identity, folder, log, now });
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
