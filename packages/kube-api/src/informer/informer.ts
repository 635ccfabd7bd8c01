import { OperatorError } from '@fenestra/kernel';
import { type ApiKind, type KubeObject, pathOf } from '../api-kind.ts';
import { isGone, jitteredBackoff, pause } from '../api-errors.ts';
import type { Selection } from '../kube-api.ts';
import type { Transport } from '../transport.ts';
import { listPages, selectors, type WatchEvent, watchEvents } from './watch-events.ts';
import { objectStore, type InformerEvent, type ObjectStore } from './object-store.ts';

/** What to follow and whom to tell. */
export interface InformerOptions<Kept> {
  readonly selection?: Selection;
  /** What to remember of an object: only what is needed when the object itself is no longer at hand. */
  keep(object: KubeObject): Kept;
  /** Called in order, once for each change, and for every object of the first list. Must not throw. */
  onEvent?(event: InformerEvent<Kept>): void;
  /** The server could not be followed for the moment: tried again after `retryMs`. */
  onTrouble?(error: unknown, retryMs: number): void;
}

/** A memory of all objects of a kind that follows the API server through restarts and outages. */
export interface Informer<Kept> {
  get(namespace: string | undefined, name: string): Kept | undefined;
  values(): IterableIterator<Kept>;
  readonly size: number;
  /** Whether the first full list has been taken in. */
  readonly synced: boolean;
  /** Resolves once synced; never if the signal aborts before. */
  whenSynced(): Promise<void>;
  /** Resolves when the informer has stopped and holds no connection. */
  readonly stopped: Promise<void>;
}

// A server sends a bookmark about every minute; a connection that is silent for longer is taken for dead.
const IDLE_MS = 150_000;
const SHORTEST_WATCH_S = 240;
const SHORT_LIVED_MS = 1_000;
const LONG_LIVED_MS = 10_000;

/** Lists, then watches, and begins again where it broke off. Stops when the signal aborts. */
export function startInformer<Kept>(
  transport: Transport,
  kind: ApiKind,
  options: InformerOptions<Kept>,
  signal: AbortSignal,
): Informer<Kept> {
  const store = objectStore(
    (object) => options.keep(object),
    (event) => options.onEvent?.(event),
  );
  const first = Promise.withResolvers<void>();
  let synced = false;
  const follower = follow({ transport, kind, selection: options.selection ?? {}, store }, options, signal, () => {
    synced = true;
    first.resolve();
  });
  return {
    get: (namespace, name) => store.get(namespace, name),
    values: () => store.values(),
    get size() {
      return store.size;
    },
    get synced() {
      return synced;
    },
    whenSynced: () => first.promise,
    stopped: follower,
  };
}

interface Followed {
  readonly transport: Transport;
  readonly kind: ApiKind;
  readonly selection: Selection;
  readonly store: ObjectStore<unknown>;
}

/** Where a watch goes on; undefined when only a new list can tell. */
interface Position {
  version: string | undefined;
  failures: number;
}

async function follow(
  followed: Followed,
  options: Pick<InformerOptions<unknown>, 'onTrouble'>,
  signal: AbortSignal,
  onListed: () => void,
): Promise<void> {
  const position: Position = { version: undefined, failures: 0 };
  while (!signal.aborted) {
    try {
      if (position.version === undefined) {
        position.version = await relist(followed, signal);
        onListed();
      }
      await watch(followed, position, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (isGone(error)) position.version = undefined;
      const retryMs = jitteredBackoff(position.failures++);
      options.onTrouble?.(error, retryMs);
      await pause(retryMs, signal);
    }
  }
}

async function relist({ transport, kind, selection, store }: Followed, signal: AbortSignal): Promise<string> {
  const list = store.beginList();
  let version = '';
  for await (const page of listPages(transport, kind, selection, signal)) {
    for (const object of page.items) store.put(object);
    version = page.resourceVersion;
  }
  list.end();
  return version;
}

async function watch(followed: Followed, position: Position, signal: AbortSignal): Promise<void> {
  const { transport, kind, selection, store } = followed;
  const began = performance.now();
  const action = `watch ${kind.plural}`;
  const query = watchQuery(selection, position.version ?? '');
  const path = pathOf(kind, selection.namespace);
  const response = await transport.stream({ action, method: 'GET', path, query }, IDLE_MS, signal);
  try {
    for await (const event of watchEvents(response, action)) {
      position.version = take(store, event) ?? position.version;
      position.failures = 0;
    }
  } catch (error) {
    // A connection that broke after a while is nothing to report: if the server is away, the next try will tell.
    if (error instanceof OperatorError || performance.now() - began < LONG_LIVED_MS) throw error;
    position.failures = 0;
  } finally {
    response.destroy();
  }
  if (performance.now() - began < SHORT_LIVED_MS) throw new Error('the server ended the watch at once');
}

function watchQuery(selection: Selection, resourceVersion: string): Readonly<Record<string, string>> {
  // Different watches end at different times, so that a server is not asked for all of them again at once.
  const timeoutSeconds = String(SHORTEST_WATCH_S + Math.floor(Math.random() * SHORTEST_WATCH_S));
  return { ...selectors(selection), watch: 'true', allowWatchBookmarks: 'true', resourceVersion, timeoutSeconds };
}

function take(store: ObjectStore<unknown>, event: WatchEvent): string | undefined {
  if (event.type === 'BOOKMARK') return event.resourceVersion;
  if (event.type === 'DELETED') store.remove(event.object);
  else store.put(event.object);
  return event.object.metadata.resourceVersion;
}
