import { OperatorError } from '@fenestra/kernel';

/** How long something may take, and what it is: `action` completes "Cannot …". */
export interface Deadline {
  readonly limitMs: number;
  readonly action: string;
}

/** Runs the work with a signal that fires at the deadline or with `signal`, and stops waiting for it then. */
export async function withDeadline<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { limitMs, action }: Deadline,
  signal: AbortSignal,
): Promise<T> {
  signal.throwIfAborted();
  const over = Promise.withResolvers<never>();
  const either = new AbortController();
  const giveUp = (reason: unknown): void => {
    either.abort(reason);
    over.reject(reason);
  };
  const timer = setTimeout(() => giveUp(tooLate(action, limitMs)), limitMs);
  const aborted = (): void => giveUp(signal.reason);
  signal.addEventListener('abort', aborted, { once: true });
  try {
    return await Promise.race([work(either.signal), over.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', aborted);
  }
}

function tooLate(action: string, limitMs: number): OperatorError {
  return new OperatorError('TIMED_OUT', `Cannot ${action} within ${Math.ceil(limitMs / 1000)} s`, {
    hint: 'Look at the log for what it was waiting for.',
  });
}
