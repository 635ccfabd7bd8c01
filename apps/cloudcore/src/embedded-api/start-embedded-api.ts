import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type KubeApiSource, openKubeApi, pause } from '@fenestra/kube-api';
import { cloudManifests, installManifests } from '@fenestra/lifecycle/cloud';
import type { FileStore, Logger } from '@fenestra/platform';
import type { EmbeddedFlags } from '../flags.ts';
import { embeddedApiMeasures, type Measured } from '../metrics/cloud-metrics.ts';
import { loopDelays } from '../metrics/event-loop.ts';
import {
  type ApiThread,
  type OpenThread,
  type RunningApi,
  runThread,
  type ThreadContext,
  type ThreadOptions,
} from './run-thread.ts';

/** The administrator's kubeconfig, in the folder of the embedded API. */
const ADMIN_KUBECONFIG = 'admin.kubeconfig';

/** What starting the embedded API needs. */
interface EmbeddedOptions {
  readonly embedded: EmbeddedFlags;
  /** Further addresses the API is reached at. */
  readonly names: readonly string[];
  readonly files: Pick<FileStore, 'replace'>;
  readonly log: Logger;
  readonly openThread: OpenThread;
}

/** A running embedded API, and how cloudcore reaches it. */
export interface EmbeddedApi {
  readonly source: KubeApiSource;
  readonly measures: Readonly<Record<string, Measured>>;
  isRunning(): boolean;
  close(): Promise<void>;
}

/** Starts the embedded API in its own thread, with everything cloudcore needs in it, and leaves the administrator's kubeconfig in its folder. */
export async function startEmbeddedApi(options: EmbeddedOptions, signal: AbortSignal): Promise<EmbeddedApi> {
  const { embedded, names, files, log, openThread } = options;
  const { folder, address, port } = embedded;
  const delays = loopDelays('embedded-api', log);
  const context = { openThread, log, onDelay: (milliseconds: number) => delays.add(milliseconds) };
  const kept = await keepRunning({ folder, address, port, alternativeNames: names }, context, signal);
  const { url, adminKubeconfig, cloudcoreKubeconfig } = kept.api;
  try {
    await leaveKubeconfig(files, join(folder, ADMIN_KUBECONFIG), adminKubeconfig);
    await install(adminKubeconfig, signal);
  } catch (error) {
    await kept.close();
    throw error;
  }
  log.info('The embedded Kubernetes API is ready', { url, kubeconfig: join(folder, ADMIN_KUBECONFIG) });
  return {
    source: { kubeconfig: cloudcoreKubeconfig },
    measures: embeddedApiMeasures(
      () => delays.longestSeconds(),
      () => kept.restarts(),
    ),
    isRunning: () => kept.isRunning(),
    close: async () => kept.close(),
  };
}

/** A file that is up to date is not written again: the disk may be full. */
async function leaveKubeconfig(files: EmbeddedOptions['files'], path: string, content: string): Promise<void> {
  const present = await readFile(path, 'utf8').catch(() => undefined);
  if (present !== content) await files.replace(path, content);
}

async function install(kubeconfig: string, signal: AbortSignal): Promise<void> {
  const api = await openKubeApi({ kubeconfig });
  try {
    await installManifests(api, { manifests: cloudManifests({ embedded: true }), dryRun: false }, signal);
  } finally {
    api.close();
  }
}

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
