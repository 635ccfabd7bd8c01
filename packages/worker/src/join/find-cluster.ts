import type { JoinConfiguration } from '@fenestra/contracts/kube';
import { bootstrapKubeconfig } from '../discovery/discovered-cluster.ts';
import type { WorkerSession } from '../worker-session.ts';
import { readClusterSettings, type ClusterSettings } from './cluster-settings.ts';

/** The cluster that a machine is about to join. */
export interface FoundCluster {
  /** `https://host:port`. */
  readonly server: string;
  /** PEM. */
  readonly caBundle: string;
  readonly settings: ClusterSettings;
  /** What the cluster is asked with until the node has an identity of its own. Secret. */
  readonly bootstrapKubeconfig: string;
  readonly warnings: readonly string[];
}

/** Finds the cluster, makes sure that it is the right one, and asks it for what a worker begins with. */
export async function findCluster(
  { discover, ports, say }: Pick<WorkerSession, 'discover' | 'ports' | 'say'>,
  wanted: { readonly configuration: JoinConfiguration; readonly nodeName: string },
  signal: AbortSignal,
): Promise<FoundCluster> {
  const { discovery, tlsBootstrapToken, timeouts } = wanted.configuration;
  const found = await discover(discovery, { limitMs: timeouts.discovery, say }, signal);
  const token = tlsBootstrapToken ?? (discovery.kind === 'token' ? discovery.token : undefined);
  const cluster = await ports.openCluster({ kubeconfig: bootstrapKubeconfig(found, { token }) });
  try {
    const settings = await readClusterSettings(cluster, wanted.nodeName, signal);
    const { clusterName } = settings.configuration;
    return { ...found, settings, bootstrapKubeconfig: bootstrapKubeconfig(found, { token, clusterName }) };
  } finally {
    cluster.close();
  }
}
