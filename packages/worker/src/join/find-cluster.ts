import type { JoinConfiguration } from '@fenestra/contracts/kube';
import { OperatorError } from '@fenestra/kernel';
import type { ClusterNode, WorkerCluster } from '@fenestra/session';
import { bootstrapKubeconfig } from '../discovery/worker-kubeconfigs.ts';
import {
  type ClusterConfiguration,
  parseClusterConfiguration,
} from '../kubelet-configuration/cluster-configuration.ts';
import { versionTraits } from '../version-traits.ts';
import type { WorkerSession } from '../worker-session.ts';

const UNAUTHORIZED = 401;

/** The cluster that a machine is about to join. */
export interface FoundCluster {
  /** `https://host:port`. */
  readonly server: string;
  /** PEM. */
  readonly caBundle: string;
  readonly settings: ClusterSettings;
  /** What the cluster is asked with until the node has its own identity. Secret. */
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

const NAMESPACE = 'kube-system';

/** What a cluster has for those who join it. */
export interface ClusterSettings {
  readonly version: string;
  readonly configuration: ClusterConfiguration;
  readonly kubeletText: string;
  readonly node: ClusterNode | undefined;
}

/** Asks a cluster, as anyone who may join it, for what a worker begins with. */
export async function readClusterSettings(
  cluster: WorkerCluster,
  nodeName: string,
  signal: AbortSignal,
): Promise<ClusterSettings> {
  const version = await cluster.version(signal);
  const configuration = parseClusterConfiguration(
    await settingOf(cluster, { names: ['kubeadm-config'], key: 'ClusterConfiguration' }, signal),
  );
  const { kubeletConfigMaps: names } = versionTraits(configuration.kubernetesVersion || version);
  const kubeletText = await settingOf(cluster, { names, key: 'kubelet' }, signal);
  return { version, configuration, kubeletText, node: await nodeIfAllowed(cluster, nodeName, signal) };
}

async function settingOf(
  cluster: WorkerCluster,
  { names, key }: { readonly names: readonly string[]; readonly key: string },
  signal: AbortSignal,
): Promise<string> {
  for (const name of names) {
    const text = (await readIfAllowed(cluster, name, names, signal))?.[key];
    if (text !== undefined && text !== '') return text;
  }
  const message = `The cluster at ${cluster.server} has no ConfigMap "${NAMESPACE}/${names[0]}" with "${key}"`;
  throw new OperatorError('API_NOT_FOUND', message, {
    hint: 'A cluster that kubeadm made has it; "kubeadm init phase upload-config all" on the control plane creates it again.',
  });
}

/** The role that lets a worker read names one ConfigMap, so that asking for another one of the possible names is refused. */
async function readIfAllowed(
  cluster: WorkerCluster,
  name: string,
  names: readonly string[],
  signal: AbortSignal,
): ReturnType<WorkerCluster['configMap']> {
  try {
    return await cluster.configMap(NAMESPACE, name, signal);
  } catch (error) {
    if (error instanceof OperatorError && error.code === 'API_FORBIDDEN' && name !== names.at(-1)) return undefined;
    throw error;
  }
}

/** Anyone who may join does not have to be allowed to look at nodes; a kubelet with a name that is taken is found out later. */
async function nodeIfAllowed(
  cluster: WorkerCluster,
  name: string,
  signal: AbortSignal,
): Promise<ClusterNode | undefined> {
  try {
    return await cluster.node(name, signal);
  } catch (error) {
    if (error instanceof OperatorError && error.code === 'API_FORBIDDEN') return undefined;
    throw error;
  }
}
