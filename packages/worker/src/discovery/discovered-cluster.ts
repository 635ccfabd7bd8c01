import { tokenKubeconfig } from './worker-kubeconfigs.ts';
import { type ClusterEndpoint } from './kubeconfig.ts';
import { OperatorError } from '@fenestra/kernel';

/** A cluster that was found, and found to be the right one. */
export interface DiscoveredCluster extends ClusterEndpoint {
  /** The kubeconfig that came with credentials of its own, which makes it secret; `undefined` if none came. */
  readonly kubeconfig: string | undefined;
  /** What was odd, to be told once. */
  readonly warnings: readonly string[];
}

/** How the cluster is asked before the worker has an identity. */
export interface BootstrapWish {
  /** The bootstrap token, secret; without one the credentials that came with the discovery have to do. */
  readonly token: string | undefined;
  /** The cluster's own name, as far as it is known. */
  readonly clusterName?: string;
}

/** The kubeconfig to ask the cluster with until the worker has an identity of its own. Secret. */
export function bootstrapKubeconfig(cluster: DiscoveredCluster, wish: BootstrapWish): string {
  const { server, caBundle, kubeconfig } = cluster;
  const { token, clusterName = 'kubernetes' } = wish;
  if (token !== undefined) return tokenKubeconfig({ server, caBundle, clusterName, token });
  if (kubeconfig !== undefined) return kubeconfig;
  throw new OperatorError('KUBECONFIG_INVALID', 'Cannot join: the discovery file brings no credentials', {
    hint: 'Give a token with "--tls-bootstrap-token", or a file whose user has credentials.',
  });
}
