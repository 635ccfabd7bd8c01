import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openKubeApi, type KubeApiSource } from '@fenestra/kube-api';
import { startKubelite } from '@fenestra/kubelite';
import { cloudManifests, installManifests } from '@fenestra/lifecycle/cloud';
import type { FileStore, Logger } from '@fenestra/platform';
import type { EmbeddedFlags } from './config/flags.ts';

/** The administrator's kubeconfig, in the folder of the embedded API. */
export const ADMIN_KUBECONFIG = 'admin.kubeconfig';

/** What starting the embedded API needs. */
export interface EmbeddedOptions {
  readonly embedded: EmbeddedFlags;
  /** Further addresses the API is reached at. */
  readonly names: readonly string[];
  readonly files: Pick<FileStore, 'replace'>;
  readonly log: Logger;
  readonly now: () => Date;
}

/** A running embedded API, and how cloudcore reaches it. */
export interface EmbeddedApi {
  readonly source: KubeApiSource;
  close(): Promise<void>;
}

/** Starts the embedded API with everything cloudcore needs in it, and leaves the administrator's kubeconfig in its folder. */
export async function startEmbeddedApi(options: EmbeddedOptions, signal: AbortSignal): Promise<EmbeddedApi> {
  const { embedded, names, files, log, now } = options;
  const { folder, address, port } = embedded;
  const kubelite = await startKubelite({ folder, address, port, alternativeNames: names, log, now }, signal);
  try {
    await leaveKubeconfig(files, join(folder, ADMIN_KUBECONFIG), kubelite.adminKubeconfig);
    await install(kubelite.adminKubeconfig, signal);
  } catch (error) {
    await kubelite.close();
    throw error;
  }
  log.info('The embedded Kubernetes API is ready', { url: kubelite.url, kubeconfig: join(folder, ADMIN_KUBECONFIG) });
  return { source: { kubeconfig: kubelite.cloudcoreKubeconfig }, close: async () => kubelite.close() };
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
