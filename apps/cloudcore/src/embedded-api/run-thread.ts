import { setTimeout as delay } from 'node:timers/promises';
import type { Worker, WorkerOptions } from 'node:worker_threads';
import { type ErrorCode, type ErrorDetails, OperatorError } from '@fenestra/kernel';
import type { Kubelite, KubeliteOptions } from '@fenestra/kubelite';
import type { LogFields, Logger, LogLevel } from '@fenestra/platform';

/** What the thread of the embedded API is started with. */
export type ThreadOptions = Pick<KubeliteOptions, 'address' | 'alternativeNames' | 'folder' | 'port'>;

/** How to reach the API that a thread runs. */
export type RunningApi = Omit<Kubelite, 'close'>;

/** What the thread reports to the process. */
export type ThreadMessage =
  | { readonly type: 'ready'; readonly api: RunningApi }
  | { readonly type: 'failed'; readonly failure: ThreadFailure }
  | { readonly type: 'log'; readonly level: LogLevel; readonly message: string; readonly fields: LogFields }
  /** Sent every second: the longest time for which the thread's event loop was blocked. */
  | { readonly type: 'delay'; readonly milliseconds: number }
  | { readonly type: 'closed' };

/** Why the API could not start. A message between threads does not keep the class of an error. */
export interface ThreadFailure {
  readonly error: unknown;
  readonly operator?: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly hint: string;
    readonly details: ErrorDetails;
  };
}

/** What the process sends to the thread: to finish requests, close the database and report `closed`. */
export const CLOSE = 'close';

/** Starts a thread that runs `serveApi`. The program that carries cloudcore knows where the thread's code is. */
export type OpenThread = (options: WorkerOptions) => Worker;

/** One life of the thread. */
export interface ApiThread {
  readonly api: RunningApi;
  /** Resolves with the reason when the thread has ended without being asked to. */
  readonly ended: Promise<string>;
  close(): Promise<void>;
}

/** What a thread is run with. */
export interface ThreadContext {
  readonly openThread: OpenThread;
  readonly log: Logger;
  /** Called every second with the longest time for which the thread's event loop was blocked. */
  readonly onDelay: (milliseconds: number) => void;
}

/** One object of 3 MiB takes some 50 MiB while it is changed; the rest is for lists and for the history of watches. */
const MAX_HEAP_MB = 1024;
const CHECK_MS = 5_000;
/** A thread that has reported nothing at so many checks is stuck and is ended. Counted, because this process may have been stopped too. */
const STUCK_CHECKS = 12;
const CLOSING_MS = 10_000;

/** Runs the embedded API in a thread and resolves when it answers. Throws why it cannot start. */
export async function runThread(
  options: ThreadOptions,
  context: ThreadContext,
  signal: AbortSignal,
): Promise<ApiThread> {
  signal.throwIfAborted();
  const thread = context.openThread({
    workerData: options,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    env: {},
    execArgv: [],
  });
  const events = followThread(thread, context);
  const giveUp = () => void thread.terminate();
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    const endedEarly = events.ended.then((why) => Promise.reject(new Error(`The embedded API ended: ${why}`)));
    const api = await Promise.race([events.ready, endedEarly]);
    return { api, ended: events.ended, close: async () => closeThread(thread, events) };
  } catch (error) {
    await thread.terminate();
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

interface ThreadEvents {
  readonly ready: Promise<RunningApi>;
  readonly closed: Promise<void>;
  readonly ended: Promise<string>;
}

function followThread(thread: Worker, { log, onDelay }: ThreadContext): ThreadEvents {
  const ready = Promise.withResolvers<RunningApi>();
  const closed = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<string>();
  const watchdog = watchSilence(() => {
    ended.resolve('it was stuck');
    void thread.terminate();
  });
  thread.on('message', (message: ThreadMessage) => {
    switch (message.type) {
      case 'ready':
        watchdog.start();
        return ready.resolve(message.api);
      case 'failed':
        return ready.reject(errorOf(message.failure));
      case 'log':
        return log[message.level](message.message, message.fields);
      case 'delay':
        watchdog.received();
        return onDelay(message.milliseconds);
      case 'closed':
        return closed.resolve();
    }
  });
  thread.on('error', (error) => ended.resolve(String(error)));
  thread.on('exit', (code) => {
    watchdog.stop();
    closed.resolve();
    ended.resolve(`exit code ${code}`);
  });
  // Who waits for the one need not wait for the other.
  ready.promise.catch(() => {});
  return { ready: ready.promise, closed: closed.promise, ended: ended.promise };
}

function watchSilence(onSilence: () => void) {
  let checks = 0;
  let timer: NodeJS.Timeout | undefined;
  const check = () => {
    checks += 1;
    if (checks === STUCK_CHECKS) onSilence();
  };
  return {
    start: () => void (timer = setInterval(check, CHECK_MS).unref()),
    received: () => void (checks = 0),
    stop: () => clearInterval(timer),
  };
}

async function closeThread(thread: Worker, { closed }: ThreadEvents): Promise<void> {
  thread.postMessage(CLOSE, []);
  await Promise.race([closed, delay(CLOSING_MS, undefined, { ref: false })]);
  await thread.terminate();
}

function errorOf({ error, operator }: ThreadFailure): unknown {
  if (!operator) return error;
  const { code, message, hint, details } = operator;
  return new OperatorError(code, message, { hint, details, cause: error });
}
