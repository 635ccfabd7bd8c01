import { badRequest } from '../objects/statuses.ts';
import { numberOf, revisionOf } from './list-query.ts';

/** How a watch was asked for. */
export interface WatchQuery {
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
export function watchQueryOf(query: URLSearchParams, newest: number): WatchQuery {
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
