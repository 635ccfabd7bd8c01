import type { Logger } from '@fenestra/platform';
import { failureFields } from '../modules/describe-failure.ts';
import type { Unsubscribe } from './hub-client.ts';

/** Functions to call when something happens. */
export interface Listeners<Args extends readonly unknown[]> {
  add(listener: (...args: Args) => void): Unsubscribe;
  /** Calls them all; one that throws is logged and keeps the others from nothing. */
  call(...args: Args): void;
}

/** Makes an empty collection. */
export function listeners<Args extends readonly unknown[]>(log: Logger): Listeners<Args> {
  const all = new Set<(...args: Args) => void>();
  return {
    add(listener) {
      all.add(listener);
      return () => void all.delete(listener);
    },
    call(...args) {
      for (const listener of all) {
        try {
          listener(...args);
        } catch (cause) {
          log.error('A listener of the hub failed', failureFields(cause));
        }
      }
    },
  };
}
