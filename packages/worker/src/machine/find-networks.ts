import type { WorkerLayout } from '@fenestra/platform';
import { listFolders } from '@fenestra/steps';
import type { FoundNetworks } from '../record/worker-record.ts';
import type { WorkerSession } from '../worker-session.ts';

/** What is there of networks for pods, of the system's and of the plugins'. */
export async function findNetworks({ ports, worker }: Pick<WorkerSession, 'ports' | 'worker'>): Promise<FoundNetworks> {
  return { networks: (await ports.networks.list()).map(({ id }) => id), ...(await findPluginFiles(worker)) };
}

/** The names in the folders of the network plugins' configuration and state. */
export async function findPluginFiles({
  cniConfigFolder,
  cniStateFolder,
}: WorkerLayout): Promise<Omit<FoundNetworks, 'networks'>> {
  const listings = await listFolders([cniConfigFolder, cniStateFolder]);
  const namesIn = (folder: string): readonly string[] =>
    listings.find(({ path }) => path === folder)?.entries.toSorted() ?? [];
  return { cniConfigs: namesIn(cniConfigFolder), cniStates: namesIn(cniStateFolder) };
}
