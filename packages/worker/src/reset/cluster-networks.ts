import { OperatorError } from '@fenestra/kernel';
import type { ContainerNetwork, ContainerNetworks } from '@fenestra/platform';
import type { Kept } from '@fenestra/steps';
import type { FoundNetworks } from '../record/worker-record.ts';

/** The kinds that network plugins make for pods. Others are Docker's, Hyper-V's or the Linux subsystem's. */
const CLUSTER_TYPES: readonly string[] = ['overlay', 'l2bridge', 'l2tunnel'];

/** The networks that go with the worker, and those that stay. */
export interface NetworksJudged {
  readonly goes: readonly ContainerNetwork[];
  readonly kept: readonly Kept[];
}

const NONE: NetworksJudged = { goes: [], kept: [] };

/** Looks at the system's networks. A service of the system that does not answer holds nothing up; it is told. */
export async function lookAtNetworks(
  networks: Pick<ContainerNetworks, 'list'>,
  found: FoundNetworks | undefined,
): Promise<NetworksJudged> {
  // What has come since the join came with the cluster. Without a record nobody knows, and all of it stays.
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
