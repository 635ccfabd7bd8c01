import { join } from 'node:path';
import { OperatorError } from '@fenestra/kernel';
import type { ContainerNetwork, ContainerNetworks, WorkerLayout } from '@fenestra/platform';
import { type Kept, listFolders } from '@fenestra/steps';
import type { FoundNetworks } from '../worker-record.ts';
import type { WorkerSession } from '../worker-session.ts';

/** What is there of networks for pods, of the system's and of the plugins'. */
export async function findNetworks({ ports, worker }: Pick<WorkerSession, 'ports' | 'worker'>): Promise<FoundNetworks> {
  const networks = (await ports.networks.list()).map(({ id }) => id);
  return { networks, cniConfigs: await networkFiles(worker.cniConfigFolder) };
}

async function networkFiles(cniConfigFolder: string): Promise<readonly string[]> {
  const [listing] = await listFolders([cniConfigFolder]);
  return listing?.entries.toSorted() ?? [];
}

/** The kinds that network plugins make for pods. Others are Docker's, Hyper-V's or the Linux subsystem's. */
const CLUSTER_TYPES: readonly string[] = ['overlay', 'l2bridge', 'l2tunnel'];

interface NetworksJudged {
  readonly goes: readonly ContainerNetwork[];
  readonly kept: readonly Kept[];
}

const NONE: NetworksJudged = { goes: [], kept: [] };

/** Looks at the system's networks. A service of the system that does not answer holds nothing up; it is reported. */
export async function lookAtNetworks(
  networks: Pick<ContainerNetworks, 'list'>,
  found: FoundNetworks | undefined,
): Promise<NetworksJudged> {
  // What has come since the join came with the cluster. Without a record no one knows, and all of it stays.
  if (found === undefined) return NONE;
  try {
    return judgeNetworks(await networks.list(), found.networks);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { goes: [], kept: [{ path: 'the networks of containers', why: error.message }] };
  }
}

/** Tells the cluster's networks from those that were there before, and from those that others have made since. */
export function judgeNetworks(present: readonly ContainerNetwork[], before: readonly string[]): NetworksJudged {
  // Windows writes ids in either case.
  const known = new Set(before.map((id) => id.toLowerCase()));
  const come = present.filter(({ id }) => !known.has(id.toLowerCase()));
  const others = come.filter((network) => !isClusters(network));
  return {
    goes: come.filter(isClusters),
    kept: others.map(({ name, type }) => ({
      path: `the container network "${name}"`,
      why: `clusters do not create networks of its type, ${type}`,
    })),
  };
}

function isClusters({ type }: ContainerNetwork): boolean {
  return CLUSTER_TYPES.includes(type.toLowerCase());
}

const WHY = 'a network plugin created it; delete it if it is not needed, before this machine joins another cluster';

/** The network plugins' files that came since the join. They stay: other programs may have made them. */
export async function lookAtNetworkFiles(
  { cniConfigFolder }: Pick<WorkerLayout, 'cniConfigFolder'>,
  found: FoundNetworks | undefined,
): Promise<readonly Kept[]> {
  const come = (await networkFiles(cniConfigFolder)).filter((name) => found?.cniConfigs.includes(name) !== true);
  return come.map((name) => ({ path: join(cniConfigFolder, name), why: WHY }));
}
