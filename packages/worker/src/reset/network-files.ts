import { join } from 'node:path';
import type { WorkerLayout } from '@fenestra/platform';
import type { Kept } from '@fenestra/steps';
import { networkFiles } from '../machine/find-networks.ts';
import type { FoundNetworks } from '../record/worker-record.ts';

const WHY = 'a network plugin created it; delete it if it is not needed, before this machine joins another cluster';

/**
 * The network plugins' files that have come since the join; of a worker that others joined, all. Nothing tells the
 * cluster's from those of other programs that run containers here, so that all of them stay, and are told.
 */
export async function lookAtNetworkFiles(
  { cniConfigFolder }: Pick<WorkerLayout, 'cniConfigFolder'>,
  found: FoundNetworks | undefined,
): Promise<readonly Kept[]> {
  const come = (await networkFiles(cniConfigFolder)).filter((name) => found?.cniConfigs.includes(name) !== true);
  return come.map((name) => ({ path: join(cniConfigFolder, name), why: WHY }));
}
