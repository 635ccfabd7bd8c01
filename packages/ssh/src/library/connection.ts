import { Socket } from 'node:net';
import type { OperatorError } from '@fenestra/kernel';
import { type RemoteTarget, throwIfAborted } from '@fenestra/platform';
import type { Client } from 'ssh2';
import { lost } from '../remote-errors.ts';
import type { LoggedIn } from './log-in.ts';
import type { Way } from './open-socket.ts';

const CLOSE_MS = 2000;

/** A connection that exists until it is closed or lost. */
export interface Connection {
  readonly target: RemoteTarget;
  readonly client: Client;
  readonly way: Way;
  /** Why there is no connection any more, if there is none. */
  gone(): OperatorError | undefined;
  /** Calls back once when the connection ends; the returned function takes that back. */
  onGone(listener: (error: OperatorError) => void): () => void;
  close(): Promise<void>;
}

/** Watches over a client that is logged in. */
export function watchOver(target: RemoteTarget, { client, way }: LoggedIn): Connection {
  const listeners = new Set<(error: OperatorError) => void>();
  let reason = 'the other side closed it';
  let ended: OperatorError | undefined;
  const stopWatching = watchIdle(way, target.limits.idleTimeoutSeconds * 1000, () => {
    reason = `nothing was received for ${target.limits.idleTimeoutSeconds} s`;
    way.destroy();
  });
  const closed = new Promise<void>((resolve) => {
    client.on('error', (error) => (reason = error.message));
    client.once('close', () => {
      stopWatching();
      ended = lost(target, reason);
      for (const listener of listeners) listener(ended);
      resolve();
    });
  });
  return {
    target,
    client,
    way,
    gone: () => ended,
    onGone(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      if (ended !== undefined) return;
      reason = 'it was closed here';
      client.end();
      // A machine that does not answer any more does not say close message either.
      const giveUp = setTimeout(() => way.destroy(), CLOSE_MS);
      await closed;
      clearTimeout(giveUp);
    },
  };
}

const LOOKS_PER_LIMIT = 4;

/**
 * Calls `timedOut` when nothing has come from the other side, nor been taken by it, for the whole limit. A link that
 * is busy with much data answers late, and yet is not lost: so it is bytes that count, not answers.
 */
function watchIdle(way: Way, limitMs: number, timedOut: () => void): () => void {
  let received = performance.now();
  let sent = sentBy(way);
  let waiting = false;
  const listen = (): void => void (received = performance.now());
  way.on('data', listen);
  const timer = setInterval(() => {
    // While more waits than the system takes, it takes only as much as the other side has taken from it.
    if (waiting && sentBy(way) !== sent) listen();
    sent = sentBy(way);
    waiting = way.writableLength > 0;
    if (performance.now() - received >= limitMs) timedOut();
  }, limitMs / LOOKS_PER_LIMIT);
  timer.unref();
  return () => {
    clearInterval(timer);
    way.off('data', listen);
  };
}

/** What the system has taken over from us. */
function sentBy(way: Way): number {
  return way instanceof Socket ? way.bytesWritten - way.writableLength : 0;
}

/** Work that ends with its connection or its signal: the library drops what is pending when a connection ends. */
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
