import type { Change } from '../store/commit-queue.ts';
import type { ObjectStore } from '../store/object-store.ts';

/** Hands every committed change to everybody who watches its resource. Nothing is read from disk for it. */
export interface WatchHub {
  /**
   * Calls back with each change of the resource after `since`, old ones first and at once.
   * Undefined when the history no longer reaches back that far; otherwise the way to stop.
   */
  watch(resource: string, since: number, watcher: Watcher): (() => void) | undefined;
  /** Whether a watch could start from this revision. */
  remembers(resource: string, revision: number): boolean;
  /** Ends every watch of a resource, and forgets its history. */
  end(resource: string): void;
  /** Ends all. */
  close(): void;
}

/** Someone who watches. Neither call may throw or wait. */
interface Watcher {
  changed(change: Change): void;
  ended(): void;
}

const LIMITS: HistoryLimits = { changes: 2000, bytes: 8 * 1024 * 1024 };

/** A hub for one store. */
export function createWatchHub(store: ObjectStore, limits: HistoryLimits = LIMITS): WatchHub {
  const history = createHistory(store.revision(), limits);
  const watchers = new Map<string, Set<Watcher>>();
  store.onCommit((changes) => {
    for (const change of changes) {
      history.append(change);
      for (const watcher of watchers.get(change.resource) ?? []) watcher.changed(change);
    }
  });
  const end = (resource: string) => {
    for (const watcher of watchers.get(resource) ?? []) watcher.ended();
    watchers.delete(resource);
  };
  return {
    watch(resource, since, watcher) {
      const missed = history.since(resource, since);
      if (!missed) return;
      for (const change of missed) watcher.changed(change);
      const together = watchers.get(resource) ?? new Set();
      watchers.set(resource, together.add(watcher));
      return () => void together.delete(watcher);
    },
    remembers: (resource, revision) => history.since(resource, revision) !== undefined,
    end(resource) {
      end(resource);
      history.forget(resource, store.revision());
    },
    close: () => [...watchers.keys()].forEach(end),
  };
}

/** The latest changes of every resource, so that a watch can go on from where its last one ended. */
interface History {
  append(change: Change): void;
  /** The changes after a revision in order, or undefined when some of them are no longer kept. */
  since(resource: string, revision: number): readonly Change[] | undefined;
  /** Forgets a resource that is no longer served; what happened up to this revision cannot be gone on from. */
  forget(resource: string, revision: number): void;
}

interface Kept {
  /** The newest revision that is not kept any more. */
  floor: number;
  readonly changes: Change[];
  bytes: number;
}

/** How much history each resource may hold: one busy resource never pushes out the history of another. */
interface HistoryLimits {
  readonly changes: number;
  readonly bytes: number;
}

/** An empty history of a store whose newest revision is `floor`: older ones were never seen. */
function createHistory(floor: number, limits: HistoryLimits): History {
  const kept = new Map<string, Kept>();
  return {
    append(change) {
      const entry = kept.get(change.resource) ?? { floor, changes: [], bytes: 0 };
      kept.set(change.resource, entry);
      entry.changes.push(change);
      entry.bytes += change.body.length;
      if (entry.changes.length > limits.changes || entry.bytes > limits.bytes) dropOldest(entry);
    },
    since(resource, revision) {
      const entry = kept.get(resource);
      if (revision < (entry?.floor ?? floor)) return;
      return entry?.changes.slice(firstAfter(entry.changes, revision)) ?? [];
    },
    forget: (resource, revision) => void kept.set(resource, { floor: revision, changes: [], bytes: 0 }),
  };
}

/** Drops a quarter at once, so that a full history does not move the whole array for each change. */
function dropOldest(entry: Kept): void {
  const dropped = entry.changes.splice(0, Math.ceil(entry.changes.length / 4));
  entry.floor = dropped.at(-1)?.revision ?? entry.floor;
  for (const change of dropped) entry.bytes -= change.body.length;
}

function firstAfter(changes: readonly Change[], revision: number): number {
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((changes[middle]?.revision ?? 0) <= revision) low = middle + 1;
    else high = middle;
  }
  return low;
}
