import { inVersionOf } from '../objects/draft.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import { objectTestOf } from '../objects/object-service.ts';
import { apiVersionOf, resourceName } from '../objects/resource-kind.ts';
import { badRequest, expired } from '../objects/status-error.ts';
import type { Change, ChangeType } from '../store/commit-queue.ts';
import { eventLine, typeSeen } from '../watch/event-lines.ts';
import { watchStream, type WatchStream } from '../watch/watch-stream.ts';
import { shapeObject } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { numberOf, revisionOf } from './handle-list.ts';

const BOOKMARK_MILLISECONDS = 60_000;

/** `GET` of a collection with `watch=true`: the stream exists until its time is over, the client goes, or the server stops. */
export async function handleWatch(exchange: Exchange): Promise<void> {
  const { api, kind, filter, query, response, signal } = exchange;
  const passes = objectTestOf(filter);
  const wish = watchQueryOf(query, api.store.revision());
  const encode = encoderOf(exchange);
  const finish = new AbortController();
  const stream = watchStream(response, () => {
    api.log.warn('Closed a watch because its client reads too slowly', { resource: resourceName(kind) });
    finish.abort();
  });
  const since = wish.since ?? sendState(exchange, wish, encode, stream);
  const stop = api.hub.watch(resourceName(kind), since, {
    changed(change) {
      const type = typeSeen(change, passes);
      if (type) stream.send(encode.change(change, type));
    },
    ended: () => finish.abort(),
  });
  if (!stop) stream.send(tooOld(since));
  else await untilOver(exchange, wish, stream, AbortSignal.any([signal, finish.signal]));
  stop?.();
  stream.end();
}

interface Encoder {
  change(change: Change, type: ChangeType): Buffer;
  object(object: KubeObject): Buffer;
}

/** Plain JSON in the stored version is encoded once for all watchers; other shapes are made for the one who asked. */
function encoderOf(exchange: Exchange): Encoder {
  const { accept, kind, api } = exchange;
  let first = true;
  const shaped = (type: string, object: KubeObject) => {
    const body = JSON.stringify(shapeObject(exchange, inVersionOf(object, kind), first));
    first = false;
    return Buffer.from(eventLine(type, body));
  };
  const plain = accept.shape === 'object' && (kind.storageVersion ?? kind.version) === kind.version;
  return {
    change: (change, type) => (plain ? api.lines.line(change, type) : shaped(type, change.object)),
    object: (object) => shaped('ADDED', object),
  };
}

/** Sends the state as it is, and returns the version it is of. */
function sendState({ api, kind, filter }: Exchange, wish: WatchQuery, encode: Encoder, stream: WatchStream): number {
  const revision = api.store.revision();
  const objects = api.objects.list(kind, filter);
  const lines = objects.map((object) => encode.object(object));
  stream.sendInitial(wish.markInitialEnd ? [...lines, bookmark(kind, revision, true)] : lines);
  return revision;
}

async function untilOver(
  { api, kind }: Exchange,
  { bookmarks, timeoutSeconds }: WatchQuery,
  stream: WatchStream,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  const sendBookmark = () => stream.send(bookmark(kind, api.store.revision(), false));
  const timeout = setTimeout(resolve, timeoutSeconds * 1000).unref();
  const interval = bookmarks ? setInterval(sendBookmark, BOOKMARK_MILLISECONDS).unref() : undefined;
  await promise;
  clearTimeout(timeout);
  clearInterval(interval);
  if (bookmarks && !signal.aborted) sendBookmark();
}

function bookmark(kind: Exchange['kind'], revision: number, initialEnd: boolean): Buffer {
  const annotations = initialEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {};
  const metadata = { resourceVersion: String(revision), creationTimestamp: null, ...annotations };
  return Buffer.from(
    eventLine('BOOKMARK', JSON.stringify({ kind: kind.kind, apiVersion: apiVersionOf(kind), metadata })),
  );
}

function tooOld(revision: number): Buffer {
  const status = expired(`too old resource version: ${revision}`).toStatus();
  return Buffer.from(eventLine('ERROR', JSON.stringify(status)));
}

/** How a watch was asked for. */
interface WatchQuery {
  /** The version to go on from; undefined begins with the state as it is. */
  readonly since: number | undefined;
  readonly bookmarks: boolean;
  /** Whether the end of the initial state is to be marked by a bookmark. */
  readonly markInitialEnd: boolean;
  readonly timeoutSeconds: number;
}

const SHORTEST_DEFAULT_SECONDS = 1800;
/** A timer cannot wait longer. */
const LONGEST_SECONDS = 2_000_000;

/** Reads it from the query. Throws 400, and 504 for a version from the future. */
function watchQueryOf(query: URLSearchParams, newest: number): WatchQuery {
  const revision = revisionOf(query, newest);
  const bookmarks = isTrue(query, 'allowWatchBookmarks');
  const initial = query.get('sendInitialEvents');
  if (initial !== null && query.get('resourceVersionMatch') !== 'NotOlderThan')
    throw badRequest('resourceVersionMatch: Forbidden: sendInitialEvents requires resourceVersionMatch=NotOlderThan');
  const fromState = initial === null ? (revision ?? 0) === 0 : isTrue(query, 'sendInitialEvents');
  return {
    since: fromState ? undefined : (revision ?? newest),
    bookmarks,
    markInitialEnd: initial !== null && fromState && bookmarks,
    timeoutSeconds: Math.min(numberOf(query, 'timeoutSeconds') || usualTimeout(), LONGEST_SECONDS),
  };
}

function usualTimeout(): number {
  return SHORTEST_DEFAULT_SECONDS * (1 + Math.random());
}

function isTrue(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  return value === 'true' || value === '1' || value === '';
}
