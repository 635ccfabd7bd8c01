import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '@fenestra/kernel';

const LONGEST_PAUSE_MS = 50;
const SHORTEST_PAUSE_MS = 5;
/** Anyone who has waited for this many pauses already does not mind another one. */
const PAUSES_WAITED = 8;
const A_DAY_MS = 24 * 60 * 60 * 1000;

/** Asks again and again until the answer is yes; a signal that fires first is an error, as in `throwIfAborted`. */
export async function waitUntil(
  activity: string,
  holds: () => boolean | Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  throwIfAborted(activity, signal);
  const began = performance.now();
  while (!(await holds())) await pause(nextPause(performance.now() - began, LONGEST_PAUSE_MS), activity, signal);
}

/** How long to pause before the next look: what comes soon is seen soon, and what takes long is not looked at all the time. */
export function nextPause(waitedMs: number, longestMs: number): number {
  return Math.min(Math.max(waitedMs / PAUSES_WAITED, SHORTEST_PAUSE_MS), longestMs);
}

/** Waits this long; a signal that fires first is an error, as in `throwIfAborted`. */
export async function pause(milliseconds: number, activity: string, signal: AbortSignal): Promise<void> {
  // It fails only because of the signal, of which the next line tells in our words.
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
  throwIfAborted(activity, signal);
}

/** Throws `INTERRUPTED` or `TIMED_OUT` if the signal has fired. `activity` completes "… while …": `copying "x"`. */
export function throwIfAborted(activity: string, signal: AbortSignal): void {
  if (!signal.aborted) return;
  throw isTimeout(signal.reason) ? timedOut(activity, signal.reason) : interrupted(activity, signal.reason);
}

/** A signal that fires with the given one, or when the time is up. */
export function within(milliseconds: number, signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(milliseconds)]);
}

/** Resolves when the signal fires, and keeps the process up until then. */
export async function untilFired(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const keepAlive = setInterval(() => undefined, A_DAY_MS);
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  clearInterval(keepAlive);
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError';
}

function timedOut(activity: string, cause: unknown): OperatorError {
  return new OperatorError('TIMED_OUT', `Ran out of time while ${activity}`, {
    hint: 'Check why it is slow, or allow more time, then run the command again.',
    cause,
  });
}

function interrupted(activity: string, cause: unknown): OperatorError {
  return new OperatorError('INTERRUPTED', `Interrupted while ${activity}`, { hint: 'Run the command again.', cause });
}
