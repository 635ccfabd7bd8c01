import { setTimeout as sleep } from 'node:timers/promises';

/** Time, as a run knows it. */
export interface RunClock {
  now(): Date;
  /** Rejects with the signal's reason if that fires first. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** The time of this machine. */
export const systemClock: RunClock = {
  now: () => new Date(),
  async wait(milliseconds, signal) {
    await sleep(milliseconds, undefined, { signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw error;
    });
  },
};
