import { OperatorError } from '@fenestra/kernel';
import { within } from '@fenestra/platform';
import { hasCode, tookTooLong } from './failures.ts';

/** Work on a node that may take so long. */
export interface LimitedWork<T> {
  readonly node: string;
  readonly activity: string;
  readonly seconds: number;
  readonly run: (signal: AbortSignal) => Promise<T>;
}

/** Does it within its limit; more is REMOTE_TIMEOUT. */
export async function limited<T>({ node, activity, seconds, run }: LimitedWork<T>, signal: AbortSignal): Promise<T> {
  const limit = within(Math.min(seconds * 1000, LONGEST_TIMER_MS), signal);
  try {
    return await run(limit);
  } catch (error) {
    const isOfLimit = limit.aborted && (hasCode(error, 'TIMED_OUT') || !(error instanceof OperatorError));
    if (isOfLimit && !signal.aborted) throw tookTooLong(node, activity, seconds, error);
    throw error;
  }
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;
