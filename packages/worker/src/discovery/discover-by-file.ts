import { readClusterEntry, readClusterInfo, type ClusterEndpoint, type ClusterEntry } from './kubeconfig.ts';
import { OperatorError } from '@fenestra/kernel';
import { KINDS, openKubeApi, stringAt, type KubeApi } from '@fenestra/kube-api';
import type { DiscoveredCluster } from './discovered-cluster.ts';
import { asUntrusted, emptyClusterInfo } from './discovery-errors.ts';
import { readDiscoveryFile, type FileDiscovery } from './discovery-file.ts';
import { selfContained } from './self-contained.ts';
import { untilFound, type Patience } from './until-found.ts';

/** Finds a cluster by a kubeconfig, which is believed; the cluster is asked only to see that it is there and agrees. */
export async function discoverByFile(
  discovery: FileDiscovery,
  patience: Omit<Patience, 'host'>,
  signal: AbortSignal,
): Promise<DiscoveredCluster> {
  const kubeconfig = await selfContained(await readDiscoveryFile(discovery, signal));
  const entry = readClusterEntry(kubeconfig);
  const told = await askCluster(kubeconfig, patience, signal);
  const caBundle = entry.caBundle ?? told?.caBundle;
  if (caBundle === undefined) throw withoutCa();
  return {
    server: entry.server,
    caBundle,
    kubeconfig: entry.hasCredentials ? kubeconfig : undefined,
    warnings: warningsOf(entry, told),
  };
}

/** What the cluster says of itself; `undefined` if it does not tell us. */
async function askCluster(
  kubeconfig: string,
  patience: Omit<Patience, 'host'>,
  signal: AbortSignal,
): Promise<ClusterEndpoint | undefined> {
  const api = await openKubeApi({ kubeconfig });
  try {
    const host = new URL(api.server).host;
    return await untilFound(() => readInfo(api, host, signal), { ...patience, host }, signal);
  } finally {
    api.close();
  }
}

async function readInfo(api: KubeApi, host: string, signal: AbortSignal): Promise<ClusterEndpoint | undefined> {
  try {
    const found = await api.get(KINDS.configMap, { namespace: 'kube-public', name: 'cluster-info' }, signal);
    const kubeconfig = stringAt(found, 'data', 'kubeconfig');
    if (kubeconfig === '') throw emptyClusterInfo(host);
    return readClusterInfo(kubeconfig);
  } catch (error) {
    const forbidden = error instanceof OperatorError && error.details['httpStatus'] === 403;
    if (forbidden) return undefined;
    throw asUntrusted(host, error) ?? error;
  }
}

function warningsOf({ server }: ClusterEntry, told: ClusterEndpoint | undefined): readonly string[] {
  if (told === undefined)
    return ['The cluster does not let us read "cluster-info"; the discovery file is believed as it is'];
  if (told.server === server) return [];
  return [
    `The cluster reports its address as "${told.server}"; the address of the discovery file, "${server}", is used`,
  ];
}

function withoutCa(): OperatorError {
  return new OperatorError(
    'KUBECONFIG_INVALID',
    'Cannot join: neither the discovery file nor the cluster contains the CA',
    {
      hint: 'Put the CA into the file, as "certificate-authority-data".',
    },
  );
}
