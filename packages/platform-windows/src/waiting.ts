import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '@fenestra/kernel';

const POLL_MS = 60;

/** Looks until `look` has an answer. A signal that fires first is an error that says what was waited for. */
export async function waitFor<T>(look: () => T | undefined, waitingFor: string, signal: AbortSignal): Promise<T> {
  for (;;) {
    const answer = look();
    if (answer !== undefined) return answer;
    await pause(POLL_MS, waitingFor, signal);
  }
}

/** Sleeps, or throws `INTERRUPTED` or `TIMED_OUT` when the signal fires. */
export async function pause(milliseconds: number, waitingFor: string, signal: AbortSignal): Promise<void> {
  refuseIfAborted(waitingFor, signal);
  try {
    await sleep(milliseconds, undefined, { signal });
  } catch (cause) {
    refuseIfAborted(waitingFor, signal);
    throw cause;
  }
}

/** Throws `INTERRUPTED` or `TIMED_OUT` if the signal has fired. */
export function refuseIfAborted(waitingFor: string, signal: AbortSignal): void {
  if (!signal.aborted) return;
  const reason: unknown = signal.reason;
  throw reason instanceof Error && reason.name === 'TimeoutError'
    ? timedOut(waitingFor, reason)
    : interrupted(waitingFor, reason);
}

function timedOut(waitingFor: string, cause: unknown): OperatorError {
  const hint = 'Look at what holds it up, then run the command again.';
  return new OperatorError('TIMED_OUT', `Gave up waiting for ${waitingFor}`, { hint, cause });
}

function interrupted(waitingFor: string, cause: unknown): OperatorError {
  const hint = 'Run the command again to go on.';
  return new OperatorError('INTERRUPTED', `Interrupted while waiting for ${waitingFor}`, { hint, cause });
}
