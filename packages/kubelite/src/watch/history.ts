import type { Change } from '../store/change.ts';

/** The latest changes of every resource, so that a watch can go on from where its last one ended. */
export interface History {
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
export interface HistoryLimits {
  readonly changes: number;
  readonly bytes: number;
}

/** An empty history of a store whose newest revision is `floor`: older ones were never seen. */
export function createHistory(floor: number, limits: HistoryLimits): History {
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
