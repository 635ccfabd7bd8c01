/** How long the last retry waited, so that the next one waits longer. Plain data, which an agent can store. */
export interface BackoffEntry {
  readonly delayMs: number;
  /** When the last attempt was made. */
  readonly attemptedAt: number;
  /** What the entry is about. The entry of another subject does not count. */
  readonly subject: string;
}

const FIRST_DELAY_MS = 10_000;
const MAX_DELAY_MS = 300_000;
const FORGET_AFTER_MS = 2 * MAX_DELAY_MS;

/**
 * When the next attempt may be made after an end at `endedAt`. An end in the future comes from a clock that was set
 * back and makes nothing wait.
 */
export function retryTime(entry: BackoffEntry | undefined, subject: string, endedAt: number, now: number): number {
  if (entry?.subject !== subject || endedAt > now || isForgotten(entry, endedAt)) return now;
  return endedAt + entry.delayMs;
}

/** The entry after an attempt that is made now. */
export function nextBackoff(
  entry: BackoffEntry | undefined,
  subject: string,
  endedAt: number,
  now: number,
): BackoffEntry {
  const counts = entry?.subject === subject && !isForgotten(entry, endedAt);
  return {
    delayMs: counts ? Math.min(entry.delayMs * 2, MAX_DELAY_MS) : FIRST_DELAY_MS,
    attemptedAt: now,
    subject,
  };
}

function isForgotten({ attemptedAt }: BackoffEntry, endedAt: number): boolean {
  return endedAt - attemptedAt > FORGET_AFTER_MS;
}
