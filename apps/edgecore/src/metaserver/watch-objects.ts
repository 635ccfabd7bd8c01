import type { ServerResponse } from 'node:http';
import type { KindNames } from '@fenestra/contracts';
import type { Json, JsonObject } from '@fenestra/kernel';
import type { NumberedChange, ObjectChange } from '../meta/change-feed.ts';
import { apiVersionOf, formatKindAddress, type KubeObject } from '../meta/kube-object.ts';
import type { NodeMemory } from '../meta/node-memory.ts';
import { badRequest, tooOld } from './api-failure.ts';
import type { Matcher } from './handle-request.ts';

const BOOKMARK_INTERVAL_MS = 60_000;
const DEFAULT_DURATION_MS = 30 * 60_000;
const LONGEST_DURATION_MS = 24 * 60 * 60_000;

/** Streams what happens to the objects in scope until the follower leaves or its time is over. */
export function watchObjects(
  memory: NodeMemory,
  scope: WatchScope,
  query: URLSearchParams,
  response: ServerResponse,
): void {
  const begin = beginningOf(memory, scope, query);
  const durationMs = durationOf(query);
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-cache, private' });
  response.flushHeaders();
  const stream = watchStream(response, begin);
  const unsubscribe = memory.changes.subscribe((change) => {
    const event = eventFor(change, scope);
    if (event !== undefined) stream.write(event);
  });
  const timers = [setTimeout(() => stream.end(), durationMs)];
  if (query.get('allowWatchBookmarks') === 'true') {
    const mark = (): void => stream.write(bookmark(scope.kind, memory.changes.latest, false));
    timers.push(setInterval(mark, BOOKMARK_INTERVAL_MS));
  }
  response.on('close', () => {
    unsubscribe();
    for (const timer of timers) clearTimeout(timer);
  });
}

/** Without a version, or with 0, everything there is; else what came since. */
function beginningOf(memory: NodeMemory, scope: WatchScope, query: URLSearchParams): readonly WatchEvent[] {
  const { changes } = memory;
  const version = query.get('resourceVersion') ?? '';
  const isAsked = query.get('sendInitialEvents') === 'true';
  if (version === '' || version === '0' || isAsked) {
    const end = isAsked ? [bookmark(scope.kind, changes.latest, true)] : [];
    return [...initialEvents(memory.list(scope.kind, scope.namespace), scope), ...end];
  }
  if (!/^\d+$/.test(version)) throw badRequest(`invalid resource version "${version}"`);
  const missed = changes.since(Number(version));
  if (missed === undefined) throw tooOld(version);
  return missed.flatMap((change) => eventFor(change, scope) ?? []);
}

function durationOf(query: URLSearchParams): number {
  const seconds = Number(query.get('timeoutSeconds') ?? 0);
  if (!(seconds > 0)) return DEFAULT_DURATION_MS;
  return Math.min(seconds * 1_000, LONGEST_DURATION_MS);
}

/** What a follower asked for. */
interface WatchScope {
  readonly kind: KindNames;
  readonly namespace?: string | undefined;
  readonly matches: Matcher;
}

/** One line of a watch. */
interface WatchEvent {
  readonly type: ObjectChange['type'] | 'BOOKMARK';
  readonly object: JsonObject;
}

/** What a change is to a follower who sees only some objects: one that begins to match is new, one that ceases is gone. */
function eventFor(change: NumberedChange, scope: WatchScope): WatchEvent | undefined {
  if (!isInScope(change, scope)) return undefined;
  const { object, previous } = change;
  const isSeen = change.type !== 'DELETED' && scope.matches(object);
  const wasSeen = previous !== undefined && scope.matches(previous);
  if (isSeen) return { type: wasSeen ? 'MODIFIED' : 'ADDED', object };
  return wasSeen ? { type: 'DELETED', object } : undefined;
}

/** Tells a follower where it is, so that it can go on from there; `isInitial` ends the objects it began with. */
function bookmark(kind: KindNames, sequence: number, isInitial: boolean): WatchEvent {
  const annotations: Json = isInitial ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {};
  const metadata = { resourceVersion: String(sequence), creationTimestamp: null, ...annotations };
  return { type: 'BOOKMARK', object: { kind: kind.kind, apiVersion: apiVersionOf(kind), metadata } };
}

/** The objects a watch begins with. */
function initialEvents(objects: readonly KubeObject[], { matches }: WatchScope): readonly WatchEvent[] {
  return objects.filter(matches).map((object) => ({ type: 'ADDED', object }));
}

function isInScope({ kind, namespace }: NumberedChange, scope: WatchScope): boolean {
  if (formatKindAddress(kind) !== formatKindAddress(scope.kind)) return false;
  return scope.namespace === undefined || scope.namespace === namespace;
}

/** A follower this far behind is cut off: it lists again when it is ready. */
const UNREAD_LIMIT_BYTES = 8 * 1024 * 1024;

/** The lines of a watch on their way to its follower. */
interface WatchStream {
  /** Adds an event behind all others. */
  write(event: WatchEvent): void;
  /** Ends the answer; a follower that has not even read its beginning is cut off. */
  end(): void;
}

/**
 * Begins to stream. What a watch begins with may be large and is written no faster than it is read; only what comes
 * after counts as unread.
 */
function watchStream(response: ServerResponse, begin: readonly WatchEvent[]): WatchStream {
  const early: string[] = [];
  let earlyBytes = 0;
  let hasBegun = false;
  const add = (line: string): void => {
    if (hasBegun) return void response.write(line);
    early.push(line);
    earlyBytes += Buffer.byteLength(line);
  };
  const writeBeginning = async (): Promise<void> => {
    await writeAsRead(response, begin);
    hasBegun = true;
    if (isOpen(response)) for (const line of early.splice(0)) response.write(line);
  };
  void writeBeginning();
  return {
    write(event) {
      if (!isOpen(response)) return;
      add(lineOf(event));
      if ((hasBegun ? response.writableLength : earlyBytes) > UNREAD_LIMIT_BYTES) response.destroy();
    },
    end: () => void (hasBegun ? response.end() : response.destroy()),
  };
}

async function writeAsRead(response: ServerResponse, events: readonly WatchEvent[]): Promise<void> {
  for (const event of events) {
    if (!isOpen(response)) return;
    if (!response.write(lineOf(event))) await drained(response);
  }
}

async function drained(response: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once('drain', resolve).once('close', resolve);
  await promise;
  response.off('drain', resolve).off('close', resolve);
}

function isOpen({ writableEnded, destroyed }: ServerResponse): boolean {
  return !writableEnded && !destroyed;
}

function lineOf(event: WatchEvent): string {
  return `${JSON.stringify(event)}\n`;
}
