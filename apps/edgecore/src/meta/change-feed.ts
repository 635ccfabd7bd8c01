import type { KindNames } from '@fenestra/contracts';
import type { KubeObject } from './kube-object.ts';

/** One change of one object on this node. */
export interface ObjectChange {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly kind: KindNames;
  /** Empty for cluster-wide objects. */
  readonly namespace: string;
  readonly name: string;
  /** The object as it is now, or as it last was. */
  readonly object: KubeObject;
  /** The object before the change, if there was one. */
  readonly previous?: KubeObject | undefined;
}

/** A change with its place in the order of all changes. */
export interface NumberedChange extends ObjectChange {
  readonly sequence: number;
}

/** The latest changes, in order, for anyone who follows what the node has. */
export interface ChangeFeed {
  /** The number of the latest change. A list read now holds everything up to it. */
  readonly latest: number;
  /** What came after a number; `undefined` if that is too long ago, or no number of this feed. */
  since(sequence: number): readonly NumberedChange[] | undefined;
  subscribe(listener: (change: NumberedChange) => void): () => void;
  publish(changes: readonly ObjectChange[]): void;
}

const KEPT_CHANGES = 200;
/** As JSON text; a follower that missed more than this lists again. */
const KEPT_CHARACTERS = 2_000_000;
/** Leaves room for a thousand changes in each millisecond between two starts, and stays a safe integer. */
const NUMBERS_PER_MILLISECOND = 1_000;

/**
 * Begins a feed. Objects reach a node in another order than the cloud changed them in, so their resource versions can't
 * say what a follower has seen; the feed counts by itself, from the time of its start, so that numbers of an earlier run
 * are known to be old.
 */
export function changeFeed(now: () => Date): ChangeFeed {
  const listeners = new Set<(change: NumberedChange) => void>();
  const recent = recentChanges(now().getTime() * NUMBERS_PER_MILLISECOND);
  let latest = recent.forgotten();
  return {
    get latest() {
      return latest;
    },
    since: (sequence) => (sequence < recent.forgotten() || sequence > latest ? undefined : recent.after(sequence)),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    publish(changes) {
      for (const change of changes) {
        latest += 1;
        const numbered = { ...change, sequence: latest };
        recent.add(numbered);
        for (const listener of listeners) listener(numbered);
      }
    },
  };
}

interface RecentChanges {
  /** The number of the last change that is not kept any more. */
  forgotten(): number;
  after(sequence: number): readonly NumberedChange[];
  add(change: NumberedChange): void;
}

function recentChanges(start: number): RecentChanges {
  const kept: { readonly change: NumberedChange; readonly size: number }[] = [];
  let forgotten = start;
  let total = 0;
  return {
    forgotten: () => forgotten,
    after: (sequence) => kept.map(({ change }) => change).filter((change) => change.sequence > sequence),
    add(change) {
      const size = sizeOf(change);
      kept.push({ change, size });
      total += size;
      while (kept.length > KEPT_CHANGES || total > KEPT_CHARACTERS) {
        const oldest = kept.shift();
        forgotten = oldest?.change.sequence ?? forgotten;
        total -= oldest?.size ?? 0;
      }
    },
  };
}

function sizeOf({ object, previous }: NumberedChange): number {
  return JSON.stringify([object, previous]).length;
}
