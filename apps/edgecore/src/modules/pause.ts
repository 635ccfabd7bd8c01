import { setTimeout as sleep } from 'node:timers/promises';

/** Timers do not notice when a machine sleeps or its clock is set, so long waits look at the clock now and then. */
const LONGEST_SLEEP_MS = 600_000;

/** Waits; returns early, without an error, when the signal fires. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}

/** Waits until the clock says so; returns early, without an error, when the signal fires. */
export async function pauseUntil(time: Date, now: () => Date, signal: AbortSignal): Promise<void> {
  for (let left = time.getTime() - now().getTime(); left > 0; left = time.getTime() - now().getTime()) {
    await pause(Math.min(left, LONGEST_SLEEP_MS), signal);
    if (signal.aborted) return;
  }
}
