import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '@fenestra/kernel';

const PAUSE_MS = 50;

/** Throws `INTERRUPTED` or `TIMED_OUT` if the signal has fired. `activity` completes "… while …": `copying "x"`. */
export function throwIfAborted(signal: AbortSignal, activity: string): void {
  if (!signal.aborted) return;
  throw isTimeout(signal.reason) ? lateError(signal.reason, activity) : interruptedError(signal.reason, activity);
}

/** Asks again and again until the answer is yes or the signal fires. `activity` as in `throwIfAborted`. */
export async function waitUntil(activity: string, holds: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  throwIfAborted(signal, activity);
  while (!(await holds())) {
    await sleep(PAUSE_MS);
    throwIfAborted(signal, activity);
  }
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError';
}

function lateError(cause: unknown, activity: string): OperatorError {
  return new OperatorError('TIMED_OUT', `Ran out of time while ${activity}`, {
    hint: 'Look at what keeps it, or allow more time, then run the command again.',
    cause,
  });
}

function interruptedError(cause: unknown, activity: string): OperatorError {
  return new OperatorError('INTERRUPTED', `Interrupted while ${activity}`, { hint: 'Run the command again.', cause });
}
