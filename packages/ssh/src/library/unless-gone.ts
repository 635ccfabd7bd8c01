import { throwIfAborted } from '@fenestra/platform';
import type { Connection } from './connection.ts';

/**
 * Work over a connection that takes no longer than the connection lives, nor than anybody waits for it: the library
 * forgets what is under way when a connection ends, and a machine that answers nothing else may still answer pings.
 */
export async function unlessGone<T>(
  connection: Pick<Connection, 'gone' | 'onGone'>,
  activity: string,
  work: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  throwIfAborted(activity, signal);
  const ended = connection.gone();
  if (ended !== undefined) throw ended;
  const { promise: over, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason);
  const forget = connection.onGone(reject);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work(), over]);
  } catch (error) {
    throwIfAborted(activity, signal);
    throw error;
  } finally {
    forget();
    signal.removeEventListener('abort', stop);
  }
}
