import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_MS = 250;
const LONGEST_MS = 30_000;

/** How long to wait before the next try: doubles from a quarter of a second to half a minute, less a random part of up to half. */
export function jitteredBackoff(failures: number, random: () => number = Math.random): number {
  const longest = Math.min(FIRST_MS * 2 ** Math.min(failures, 20), LONGEST_MS);
  return Math.round(longest * (1 - random() / 2));
}

/** Waits, or returns early when the signal aborts: the caller looks at the signal. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
