import { openKubeApi, readServerVersion, type KubeObject } from '@fenestra/kube-api';
import { applyManifests, type AppliedManifest } from './apply-manifests.ts';

/** A cluster that manifests are made for. */
export interface ManifestCluster {
  /** `https://host:port`. */
  readonly server: string;
  /** The API server's version. */
  version(signal: AbortSignal): Promise<string>;
  /** Brings the cluster to what the objects say; with `dryRun` it only checks them. */
  apply(objects: readonly KubeObject[], dryRun: boolean, signal: AbortSignal): Promise<readonly AppliedManifest[]>;
  close(): void;
}

/** Reaches the cluster that a kubeconfig names. */
export async function openManifestCluster(kubeconfigFile: string): Promise<ManifestCluster> {
  const api = await openKubeApi({ kubeconfigFile });
  return {
    server: api.server,
    version: async (signal) => readServerVersion(api, signal),
    apply: async (objects, dryRun, signal) => applyManifests(api, objects, { dryRun }, signal),
    close: () => api.close(),
  };
}
