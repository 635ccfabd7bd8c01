import { listFolders } from '@fenestra/steps';
import type { FoundNetworks } from '../record/worker-record.ts';
import type { WorkerSession } from '../worker-session.ts';

/** What is there of networks for pods, of the system's and of the plugins'. */
export async function findNetworks({ ports, worker }: Pick<WorkerSession, 'ports' | 'worker'>): Promise<FoundNetworks> {
  const networks = (await ports.networks.list()).map(({ id }) => id);
  return { networks, cniConfigs: await networkFiles(worker.cniConfigFolder) };
}

/** The names in the folder of the network plugins' configuration. */
export async function networkFiles(cniConfigFolder: string): Promise<readonly string[]> {
  const [listing] = await listFolders([cniConfigFolder]);
  return listing?.entries.toSorted() ?? [];
}
