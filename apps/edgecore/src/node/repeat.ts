import { OperatorError } from '@fenestra/kernel';
import type { Logger } from '@fenestra/platform';
import type { Alarm, Backoff } from '../modules/waiting.ts';
import { describeFailure, failureFields } from '../modules/describe-failure.ts';

/** Work that is done again and again. */
export interface RepeatedWork {
  /** Completes "Cannot …". */
  readonly action: string;
  readonly intervalMs: () => number;
  /** Rings when it should be done at once. */
  readonly alarm: Alarm;
  readonly backoff: Backoff;
  readonly log: Logger;
  readonly work: (signal: AbortSignal) => Promise<void>;
  /** Called after every try with how it ended. */
  readonly onOutcome: (problem: string | undefined) => void;
}

/** Does the work at its interval, sooner after a failure, until the signal fires. A connection that is gone is no news. */
export async function repeat(options: RepeatedWork, signal: AbortSignal): Promise<void> {
  const { intervalMs, alarm, backoff, work, onOutcome } = options;
  while (!signal.aborted) {
    let waitMs = intervalMs();
    try {
      await work(signal);
      backoff.reset();
      onOutcome(undefined);
    } catch (cause) {
      if (signal.aborted) return;
      onOutcome(describeFailure(cause).message);
      logFailure(options, cause);
      waitMs = Math.min(waitMs, backoff.next(0));
    }
    await alarm.wait(waitMs, signal);
  }
}

function logFailure({ log, action }: RepeatedWork, cause: unknown): void {
  const isOffline = cause instanceof OperatorError && cause.code === 'HUB_NOT_CONNECTED';
  const fields = failureFields(cause);
  if (isOffline) log.debug(`Cannot ${action} now`, fields);
  else log.warn(`Cannot ${action}; it is tried again`, fields);
}
