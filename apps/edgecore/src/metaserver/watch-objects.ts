import type { ServerResponse } from 'node:http';
import type { NodeMemory } from '../meta/node-memory.ts';
import { badRequest, tooOld } from './api-failure.ts';
import { bookmark, eventFor, initialEvents, type WatchEvent, type WatchScope } from './watch-events.ts';
import { watchStream } from './watch-stream.ts';

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
