import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '@fenestra/kernel';

/** A wait that can be cut short. */
export interface Alarm {
  /** Ends the present wait; if no one waits, the next one ends at once. */
  readonly ring: () => void;
  /** Returns after this many milliseconds, when the alarm rings, or when the signal fires. `Infinity` is not a limit. */
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

/** Fires this long after another signal, for work that should rather be finished than interrupted. */
export function laterSignal(signal: AbortSignal, delayMs: number): AbortSignal {
  const later = new AbortController();
  const fire = (): void => void setTimeout(() => later.abort(signal.reason), delayMs).unref();
  if (signal.aborted) fire();
  else signal.addEventListener('abort', fire, { once: true });
  return later.signal;
}

/** How long to wait between tries. All in milliseconds. */
export interface BackoffPolicy {
  readonly firstMs: number;
  readonly capMs: number;
  /** What has lasted this long counts as healthy: the next wait is a short one again. */
  readonly healthyAfterMs: number;
}

/** Counts failures and says how long to wait after each. */
export interface Backoff {
  /** The wait before the next try, given how long the last one lasted. */
  next(lastedMs: number): number;
  reset(): void;
}

const LEAST_SHARE = 0.1;

/**
 * Waits that double up to a cap, each a random share of its limit: many nodes that lost their cloud in one moment come
 * back spread over time. `random` gives numbers from 0 up to 1.
 */
export function exponentialBackoff({ firstMs, capMs, healthyAfterMs }: BackoffPolicy, random: () => number): Backoff {
  let failures = 0;
  return {
    next(lastedMs) {
      if (lastedMs >= healthyAfterMs) failures = 0;
      const limit = Math.min(capMs, firstMs * 2 ** Math.min(failures, 30));
      failures += 1;
      return Math.round(limit * (LEAST_SHARE + (1 - LEAST_SHARE) * random()));
    },
    reset() {
      failures = 0;
    },
  };
}

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

/** How long something may take, and what it is: `action` completes "Cannot …". */
interface Deadline {
  readonly limitMs: number;
  readonly action: string;
  readonly hint?: string;
}

/** Runs the work with a signal that fires at the deadline or with `signal`, and stops waiting for it then. */
export async function withDeadline<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { limitMs, action, hint = 'Look at the log for what it was waiting for.' }: Deadline,
  signal: AbortSignal,
): Promise<T> {
  signal.throwIfAborted();
  const over = Promise.withResolvers<never>();
  const either = new AbortController();
  const giveUp = (reason: unknown): void => {
    either.abort(reason);
    over.reject(reason);
  };
  const tooLate = (): OperatorError =>
    new OperatorError('TIMED_OUT', `Cannot ${action} within ${Math.ceil(limitMs / 1000)} s`, { hint });
  const timer = setTimeout(() => giveUp(tooLate()), limitMs);
  const aborted = (): void => giveUp(signal.reason);
  signal.addEventListener('abort', aborted, { once: true });
  try {
    return await Promise.race([work(either.signal), over.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', aborted);
  }
}

/** Runs pieces of work one after the other, in the order they were given. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Its own queue. A piece that fails fails for its giver alone. */
export function inTurn(): InTurn {
  let tail: Promise<unknown> = Promise.resolve();
  return async (work) => {
    const turn = tail.then(work);
    tail = turn.catch(() => undefined);
    return turn;
  };
}
