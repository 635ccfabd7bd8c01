import type { MessagePort } from 'node:worker_threads';
import { OperatorError } from '@fenestra/kernel';
import { startKubelite } from '@fenestra/kubelite';
import type { LogFields, Logger, LogLevel } from '@fenestra/platform';
import { watchEventLoop } from '../metrics/event-loop.ts';
import { CLOSE, type ThreadFailure, type ThreadMessage, type ThreadOptions } from './run-thread.ts';

/** Runs the embedded API inside its thread until the process asks it to close. */
export async function serveApi(port: MessagePort, options: ThreadOptions): Promise<void> {
  const send = (message: ThreadMessage): void => port.postMessage(message);
  const closing = new AbortController();
  port.on('message', (message) => message === CLOSE && closing.abort());
  try {
    const place = { ...options, log: sendingLogger(send), now: () => new Date() };
    const kubelite = await startKubelite(place, closing.signal);
    const stopWatching = watchEventLoop((milliseconds) => send({ type: 'delay', milliseconds }));
    closing.signal.addEventListener('abort', () => {
      stopWatching();
      void kubelite.close().then(() => send({ type: 'closed' }));
    });
    const { url, caCertificate, adminKubeconfig, cloudcoreKubeconfig } = kubelite;
    send({ type: 'ready', api: { url, caCertificate, adminKubeconfig, cloudcoreKubeconfig } });
  } catch (error) {
    send({ type: 'failed', failure: failureOf(error) });
  }
}

function failureOf(error: unknown): ThreadFailure {
  if (!(error instanceof OperatorError)) return { error };
  const { code, message, hint, details } = error;
  return { error: error.cause, operator: { code, message, hint, details } };
}

function sendingLogger(send: (message: ThreadMessage) => void, always: LogFields = {}): Logger {
  const log =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}) =>
      send({ type: 'log', level, message, fields: { ...always, ...fields } });
  return {
    debug: log('debug'),
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
    with: (fields) => sendingLogger(send, { ...always, ...fields }),
  };
}
