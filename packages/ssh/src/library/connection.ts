import type { OperatorError } from '@fenestra/kernel';
import type { RemoteTarget } from '@fenestra/platform';
import type { Client } from 'ssh2';
import { lost } from '../remote-errors.ts';
import type { LoggedIn } from './log-in.ts';
import type { Way } from './open-socket.ts';
import { watchSilence } from './silence.ts';

const CLOSE_MS = 2000;

/** A connection that lives until it is closed or lost. */
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
  const stopWatching = watchSilence(way, target.limits.silenceSeconds * 1000, () => {
    reason = `nothing was received for ${target.limits.silenceSeconds} s`;
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
      // A machine that does not answer any more does not say goodbye either.
      const giveUp = setTimeout(() => way.destroy(), CLOSE_MS);
      await closed;
      clearTimeout(giveUp);
    },
  };
}
