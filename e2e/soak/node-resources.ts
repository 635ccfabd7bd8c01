import { pictureOf } from '../crash/tree.ts';
import { steadyFiles } from '../kill-points/steady-files.ts';
import type { EdgeNode } from '../cloud/edge-node.ts';

/** What a node holds on to. */
export interface NodeResources {
  /** Of the agent's process. Wine says nothing about Windows here, so there it is not known. */
  readonly memoryMegabytes: number | undefined;
  readonly handles: number | undefined;
  /** Files on the disk, but for logs and keadm's memory, which are bounded by their own rules. */
  readonly files: number;
}

const LOOK = 'sed -n "s/^VmRSS: *\\([0-9]*\\) kB/\\1/p" "/proc/$0/status"; ls "/proc/$0/fd" | wc -l';

/** Counts them. */
export async function resourcesOf(node: EdgeNode): Promise<NodeResources> {
  return { ...(await processOf(node)), files: await filesOf(node) };
}

async function processOf({ machine, ...node }: EdgeNode): Promise<Omit<NodeResources, 'files'>> {
  if (machine.target === 'windows-x64') return { memoryMegabytes: undefined, handles: undefined };
  const { stdout } = await machine.node.run('sh', ['-c', LOOK, `${(await node.status())?.pid}`]);
  const [kilobytes = Number.NaN, handles] = stdout.trim().split('\n').map(Number);
  return { memoryMegabytes: Math.round(kilobytes / 1024), handles };
}

async function filesOf({ machine }: EdgeNode): Promise<number> {
  const { configFolder, stateFolder, programFolder, bookkeeping } = machine.paths;
  const trees = [configFolder, stateFolder, programFolder, bookkeeping].map(async (folder) =>
    pictureOf(machine.node.hostPath(folder)),
  );
  return (await Promise.all(trees)).flatMap((tree) => Object.keys(steadyFiles(tree))).length;
}
