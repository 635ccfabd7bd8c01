import type { Logger } from '@fenestra/platform';
import type { Unsubscribe } from './node-sessions.ts';

type Listener<Args extends readonly unknown[]> = (...args: Args) => unknown;

/** Those who want to hear of one kind of event. */
export interface Listeners<Args extends readonly unknown[]> {
  add(listener: Listener<Args>): Unsubscribe;
  /** Calls everybody in order; returns how many are not done yet, each of whom calls `finished` later, failed or not. */
  tell(args: Args, finished?: () => void): number;
}

/** Makes a list of listeners; `event` names it in the log when one of them fails. */
export function listeners<Args extends readonly unknown[]>(event: string, log: Logger): Listeners<Args> {
  const all = new Set<Listener<Args>>();
  const failed = (error: unknown): void => log.error('A listener failed', { event, error: String(error) });
  return {
    add(listener) {
      all.add(listener);
      return () => all.delete(listener);
    },
    tell(args, finished = () => {}) {
      let unfinished = 0;
      for (const listener of all) {
        const promise = call(listener, args, failed);
        if (promise === undefined) continue;
        unfinished += 1;
        void settle(promise, failed, finished);
      }
      return unfinished;
    },
  };
}

function call<Args extends readonly unknown[]>(
  listener: Listener<Args>,
  args: Args,
  failed: (error: unknown) => void,
): Promise<unknown> | undefined {
  try {
    const result = listener(...args);
    return result instanceof Promise ? result : undefined;
  } catch (error) {
    failed(error);
    return undefined;
  }
}

async function settle(
  promise: Promise<unknown>,
  failed: (error: unknown) => void,
  finished: () => void,
): Promise<void> {
  try {
    await promise;
  } catch (error) {
    failed(error);
  }
  finished();
}
