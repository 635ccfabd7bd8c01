import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openKubeApi, type KubeApiSource } from '@fenestra/kube-api';
import { cloudManifests, installManifests } from '@fenestra/lifecycle/cloud';
import type { FileStore, Logger } from '@fenestra/platform';
import type { EmbeddedFlags } from '../config/flags.ts';
import type { Measured } from '../metrics/cloud-metrics.ts';
import { loopDelays } from '../metrics/event-loop.ts';
import { embeddedApiMeasures } from '../metrics/measures.ts';
import { keepRunning } from './keep-running.ts';
import type { OpenThread } from './run-thread.ts';

/** The administrator's kubeconfig, in the folder of the embedded API. */
export const ADMIN_KUBECONFIG = 'admin.kubeconfig';

/** What starting the embedded API needs. */
export interface EmbeddedOptions {
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
