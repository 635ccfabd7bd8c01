import { kubeYaml } from '@fenestra/contracts/kube';
import { OperatorError } from '@fenestra/kernel';
import type { ClusterEndpoint } from './kubeconfig.ts';

type CaSource = { readonly caBundle: string } | { readonly caFile: string };

interface TokenAccess {
  readonly server: string;
  readonly caBundle: string;
  readonly clusterName: string;
  /** The whole token: it makes the text secret. */
  readonly token: string;
}

/** The kubeconfig a worker knocks with: `bootstrap-kubelet.conf`, named as kubeadm names it. Secret. */
export function tokenKubeconfig({ server, caBundle, clusterName, token }: TokenAccess): string {
  return kubeconfigText({
    cluster: { name: clusterName, cluster: clusterOf(server, { caBundle }) },
    user: { name: TOKEN_USER, user: { token } },
    context: { name: `${TOKEN_USER}@kubernetes`, context: { cluster: clusterName, user: TOKEN_USER } },
  });
}

/** Who a worker is: `kubelet.conf`, as the kubelet writes it. Certificate and key are both in one file, which is renewed. */
export function kubeletKubeconfig(
  access: CaSource & { readonly server: string; readonly certificateFile: string },
): string {
  return kubeconfigText({
    cluster: { name: 'default-cluster', cluster: clusterOf(access.server, access) },
    user: {
      name: 'default-auth',
      user: { 'client-certificate': access.certificateFile, 'client-key': access.certificateFile },
    },
    context: {
      name: 'default-context',
      context: { cluster: 'default-cluster', namespace: 'default', user: 'default-auth' },
    },
  });
}

const TOKEN_USER = 'tls-bootstrap-token-user';

function clusterOf(server: string, ca: CaSource): Readonly<Record<string, string>> {
  if ('caFile' in ca) return { 'certificate-authority': ca.caFile, server };
  return { 'certificate-authority-data': Buffer.from(ca.caBundle).toString('base64'), server };
}

interface Entries {
  readonly cluster: object;
  readonly user: object;
  readonly context: { readonly name: string; readonly context: object };
}

function kubeconfigText({ cluster, user, context }: Entries): string {
  return kubeYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [cluster],
    contexts: [context],
    'current-context': context.name,
    preferences: {},
    users: [user],
  });
}

/** A cluster that was found, and found to be the right one. */
export interface DiscoveredCluster extends ClusterEndpoint {
  /** The kubeconfig that came with credentials, which makes it secret; `undefined` if none came. */
  readonly kubeconfig: string | undefined;
  /** What was odd, to be printed once. */
  readonly warnings: readonly string[];
}

/** How the cluster is asked before the worker has an identity. */
export interface BootstrapWish {
  /** The bootstrap token, secret; without one the credentials that came with the discovery have to do. */
  readonly token: string | undefined;
  readonly clusterName?: string;
}

/** The kubeconfig to ask the cluster with until the worker has its own identity. Secret. */
export function bootstrapKubeconfig(cluster: DiscoveredCluster, wish: BootstrapWish): string {
  const { server, caBundle, kubeconfig } = cluster;
  const { token, clusterName = 'kubernetes' } = wish;
  if (token !== undefined) return tokenKubeconfig({ server, caBundle, clusterName, token });
  if (kubeconfig !== undefined) return kubeconfig;
  throw new OperatorError('KUBECONFIG_INVALID', 'Cannot join: the discovery file contains no credentials', {
    hint: 'Give a token with "--tls-bootstrap-token", or a file whose user has credentials.',
  });
}
