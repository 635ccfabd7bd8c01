import { setTimeout as delay } from 'node:timers/promises';
import type { StoredRef } from '../../store/object-rows.ts';

const TOGETHER = 100;
const FIRST_RETRY_MILLISECONDS = 1000;
const LONGEST_RETRY_MILLISECONDS = 60_000;

/** Objects to look at, each once however often it is added. */
export interface WorkQueue {
  add(ref: StoredRef): void;
  /** Resolves when nothing is waiting or being worked on. */
  idle(): Promise<void>;
}

/** Works on what is added, many at a time so that their writes share a commit. What fails is retried, ever more seldom. */
export function workQueue(
  work: (ref: StoredRef) => Promise<void>,
  failed: (ref: StoredRef, error: unknown) => void,
  signal: AbortSignal,
): WorkQueue {
  const waiting = new Map<string, StoredRef>();
  const pauses = new Map<string, number>();
  let running: Promise<void> | undefined;
  const add = (ref: StoredRef) => {
    waiting.set(keyOf(ref), ref);
    running ??= run().finally(() => (running = undefined));
  };
  const attempt = async (ref: StoredRef) => {
    try {
      await work(ref);
      pauses.delete(keyOf(ref));
    } catch (error) {
      if (signal.aborted) return;
      failed(ref, error);
      const pause = pauses.get(keyOf(ref)) ?? FIRST_RETRY_MILLISECONDS;
      pauses.set(keyOf(ref), Math.min(pause * 2, LONGEST_RETRY_MILLISECONDS));
      void delay(pause, undefined, { signal, ref: false }).then(
        () => add(ref),
        () => undefined,
      );
    }
  };
  const run = async () => {
    await Promise.resolve();
    while (waiting.size > 0 && !signal.aborted) {
      const batch = [...waiting].slice(0, TOGETHER);
      for (const [key] of batch) waiting.delete(key);
      await Promise.all(batch.map(([, ref]) => attempt(ref)));
    }
  };
  return {
    add,
    idle: async () => {
      await running;
    },
  };
}

function keyOf(ref: StoredRef): string {
  return `${ref.resource}/${ref.namespace}/${ref.name}`;
}
