import { setImmediate as turn } from 'node:timers/promises';
import type { RunClock } from '../run.ts';

/** A clock that jumps to the next thing that someone waits for. */
export interface VirtualClock extends RunClock {
  /** Lets time go by until the promise is settled. If no one waits for anything any more and it is not, it never will be. */
  drive<T>(promise: Promise<T>): Promise<T>;
}

interface Timer {
  readonly at: number;
  readonly ring: () => void;
}

/** A clock at the beginning of a year. */
export function virtualClock(): VirtualClock {
  let now = Date.UTC(2030, 0, 1);
  let timers: readonly Timer[] = [];

  function ringNext(): void {
    const [next] = timers.toSorted((one, other) => one.at - other.at);
    if (next === undefined) throw new Error('no one waits for anything, and yet it is not over');
    timers = timers.filter((timer) => timer !== next);
    now = Math.max(now, next.at);
    next.ring();
  }

  return {
    now: () => new Date(now),
    async wait(milliseconds, signal) {
      signal.throwIfAborted();
      await new Promise<void>((resolve, reject) => {
        const timer = { at: now + milliseconds, ring };
        function ring(): void {
          signal.removeEventListener('abort', giveUp);
          resolve();
        }
        function giveUp(): void {
          timers = timers.filter((other) => other !== timer);
          reject(signal.reason);
        }
        signal.addEventListener('abort', giveUp, { once: true });
        timers = [...timers, timer];
      });
    },
    async drive(promise) {
      let settled = false;
      const settle = (): void => void (settled = true);
      promise.then(settle, settle);
      for (;;) {
        await turn();
        if (settled) return promise;
        ringNext();
      }
    },
  };
}
