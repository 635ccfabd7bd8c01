import type { Change } from '../store/change.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { createHistory, type HistoryLimits } from './history.ts';

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

/** Somebody who watches. Neither call may throw or wait. */
export interface Watcher {
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
