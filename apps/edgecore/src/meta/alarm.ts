/** A wait that can be cut short. */
export interface Alarm {
  /** Ends the present wait; if nobody waits, the next one ends at once. */
  readonly ring: () => void;
  /** Returns after this many milliseconds, when the alarm rings, or when the signal fires. `Infinity` is no limit. */
  wait(limitMs: number, signal: AbortSignal): Promise<void>;
}

/** Makes an alarm for one waiter. */
export function createAlarm(): Alarm {
  let rung = Promise.withResolvers<void>();
  return {
    ring: () => rung.resolve(),
    async wait(limitMs, signal) {
      const over = Promise.withResolvers<void>();
      const finish = (): void => over.resolve();
      const timer = Number.isFinite(limitMs) ? setTimeout(finish, limitMs) : undefined;
      signal.addEventListener('abort', finish, { once: true });
      if (signal.aborted) finish();
      await Promise.race([rung.promise, over.promise]);
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      rung = Promise.withResolvers();
    },
  };
}
