import { listFolders } from '@fenestra/steps';
import type { FoundNetworks } from '../record/worker-record.ts';
import type { WorkerSession } from '../worker-session.ts';

/** What is there of networks for pods, of the system's and of the plugins'. */
export async function findNetworks({
  ports,
  worker: { cniConfigFolder, cniStateFolder },
}: Pick<WorkerSession, 'ports' | 'worker'>): Promise<FoundNetworks> {
  const listings = await listFolders([cniConfigFolder, cniStateFolder]);
  const namesIn = (folder: string): readonly string[] =>
    listings.find(({ path }) => path === folder)?.entries.toSorted() ?? [];
  return {
    networks: (await ports.networks.list()).map(({ id }) => id),
    cniConfigs: namesIn(cniConfigFolder),
    cniStates: namesIn(cniStateFolder),
  };
}
