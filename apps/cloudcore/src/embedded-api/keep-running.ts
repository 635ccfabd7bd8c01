import { pause } from '@fenestra/kube-api';
import { runThread, type ApiThread, type ThreadContext } from './run-thread.ts';
import type { RunningApi, ThreadOptions } from './thread-messages.ts';

/** The embedded API, whichever thread runs it. */
export interface KeptApi {
  readonly api: RunningApi;
  isRunning(): boolean;
  /** How many times its thread had to be started again. */
  restarts(): number;
  close(): Promise<void>;
}

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 60_000;

/**
 * Runs the API in a thread and starts it again, at the same address, when the thread ends. What it had acknowledged is
 * on disk, and its clients connect again. Throws when the first start fails.
 */
export async function keepRunning(
  options: ThreadOptions,
  context: ThreadContext,
  signal: AbortSignal,
): Promise<KeptApi> {
  const first = await runThread(options, context, signal);
  const fixed = { ...options, port: Number(new URL(first.api.url).port) };
  const closing = new AbortController();
  const state: State = { thread: first, restarts: 0 };
  const kept = restartForever(state, fixed, context, closing.signal);
  return {
    api: first.api,
    isRunning: () => state.thread !== undefined,
    restarts: () => state.restarts,
    async close() {
      closing.abort();
      await state.thread?.close();
      await kept;
    },
  };
}

interface State {
  thread: ApiThread | undefined;
  restarts: number;
}

async function restartForever(
  state: State,
  options: ThreadOptions,
  context: ThreadContext,
  signal: AbortSignal,
): Promise<void> {
  let wait = FIRST_DELAY_MS;
  while (!signal.aborted) {
    const why = await state.thread?.ended;
    if (signal.aborted) return;
    if (why !== undefined) context.log.error('The embedded API ended and is started again', { cause: why });
    state.thread = undefined;
    await pause(wait, signal);
    wait = Math.min(2 * wait, LONGEST_DELAY_MS);
    if (signal.aborted) return;
    const begun = await startAgain(options, context, signal);
    if (begun === undefined) continue;
    [state.thread, wait] = [begun, FIRST_DELAY_MS];
    state.restarts += 1;
    context.log.info('The embedded API is ready again', { url: begun.api.url });
  }
}

async function startAgain(
  options: ThreadOptions,
  context: ThreadContext,
  signal: AbortSignal,
): Promise<ApiThread | undefined> {
  try {
    return await runThread(options, context, signal);
  } catch (cause) {
    if (!signal.aborted) context.log.error('Cannot start the embedded API again', { cause: String(cause) });
    return undefined;
  }
}
