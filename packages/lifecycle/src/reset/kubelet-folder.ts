import { join } from 'node:path';
import { type ServiceManager, pathExists } from '@fenestra/platform';
import { isWithin, listFolders, matchesAny, mountPointsBelow, type Kept } from '@fenestra/steps';
import type { NodeFacts } from '../node/node-facts.ts';
import { KUBELET_NAMES } from './node-folders.ts';

/** Services that manage pods by their own kubelet, in the very folder that an agent's kubelet would take. */
const OTHER_KUBELETS: readonly string[] = ['kubelet', 'k3s', 'k3s-agent', 'rke2-server', 'rke2-agent', 'k0sworker'];
/** Where a kubelet mounts what pods use. */
const VOLUME_FOLDERS: readonly string[] = ['pods', 'plugins'];

/** The folder of the agent's kubelet, if it is certain that it is the agent's alone. */
export interface KubeletFolder {
  readonly folder: string | undefined;
  /** Where volumes of pods are mounted in it, the deepest first. */
  readonly volumes: readonly string[];
  readonly kept: readonly Kept[];
}

const NONE: KubeletFolder = { folder: undefined, volumes: [], kept: [] };

/** Looks for the folder in which the agent, ours or upstream's, keeps what its pods use. */
export async function findKubelet(services: ServiceManager, node: NodeFacts, root: string): Promise<KubeletFolder> {
  const folder = node.config?.modules.edged.rootDirectory;
  if (folder === undefined || !isWithin(folder, root) || !(await pathExists(folder))) return NONE;
  const why = (await otherKubelet(services)) ?? (await strangersIn(folder));
  if (why !== undefined) return { ...NONE, kept: [{ path: folder, why }] };
  const points = await mountPointsBelow(folder);
  const volumes = points.filter((point) => VOLUME_FOLDERS.some((name) => isWithin(point, join(folder, name))));
  return { folder, volumes, kept: [] };
}

async function otherKubelet(services: ServiceManager): Promise<string | undefined> {
  for (const name of OTHER_KUBELETS) {
    const { state } = await services.status(name);
    if (state !== 'absent') return `the service "${name}" may work with it`;
  }
  return undefined;
}

async function strangersIn(folder: string): Promise<string | undefined> {
  const [listing] = await listFolders([folder]);
  const strangers = listing?.entries.filter((name) => !matchesAny(name, KUBELET_NAMES)) ?? [];
  return strangers.length === 0
    ? undefined
    : `it seems to belong to another kubelet: it contains "${strangers.join('", "')}"`;
}
