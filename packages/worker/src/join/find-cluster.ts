import type { JoinConfiguration } from '@fenestra/contracts/kube';
import { OperatorError } from '@fenestra/kernel';
import { bootstrapKubeconfig } from '../discovery/discovered-cluster.ts';
import type { WorkerSession } from '../worker-session.ts';
import { readClusterSettings, type ClusterSettings } from './cluster-settings.ts';

const UNAUTHORIZED = 401;

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
    const settings = await readClusterSettings(cluster, wanted.nodeName, signal).catch((error: unknown) => {
      throw token !== undefined && isUnauthorized(error) ? tokenRefused(found.server, error) : error;
    });
    const { clusterName } = settings.configuration;
    return { ...found, settings, bootstrapKubeconfig: bootstrapKubeconfig(found, { token, clusterName }) };
  } finally {
    cluster.close();
  }
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof OperatorError && error.details['httpStatus'] === UNAUTHORIZED;
}

/** The token may have expired since the cluster was found, or be another than the one it was found with. */
function tokenRefused(server: string, cause: unknown): OperatorError {
  return new OperatorError('TOKEN_INVALID', `The cluster at ${server} does not accept the bootstrap token`, {
    hint: 'Make a new one with "kubeadm token create --print-join-command" on the control plane.',
    cause,
  });
}
