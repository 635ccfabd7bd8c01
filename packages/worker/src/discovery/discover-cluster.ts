import type { Discovery } from '@fenestra/contracts/kube';
import { discoverByFile } from './discover-by-file.ts';
import { discoverByToken } from './discover-by-token.ts';
import type { DiscoveredCluster } from './worker-kubeconfigs.ts';
import type { Patience } from './until-found.ts';

/** Finds the cluster to join and makes sure that it is the right one. Nothing of this machine is changed. */
export async function discoverCluster(
  discovery: Discovery,
  patience: Omit<Patience, 'host'>,
  signal: AbortSignal,
): Promise<DiscoveredCluster> {
  return discovery.kind === 'token'
    ? discoverByToken(discovery, patience, signal)
    : discoverByFile(discovery, patience, signal);
}
