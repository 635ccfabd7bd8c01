import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { processesInNamespace } from '../../support/beds/process-tree.ts';
import type { EdgeNode } from '../../support/cloud/edge-node.ts';
import { pictureOf } from '../../support/crash/tree.ts';
import { steadyFiles } from '../../support/kill-points/steady-files.ts';

/** What a node holds on to. */
export interface NodeResources {
  /** Of the agent's process. On Windows these are those of the process that Wine runs it in. */
  readonly memoryMegabytes: number;
  readonly handles: number;
  /** Files on the disk, but for logs and keadm's memory, which are bounded by their own rules. */
  readonly files: number;
}

/** Counts them. */
export async function resourcesOf(node: EdgeNode): Promise<NodeResources> {
  const process = `/proc/${agentProcess(node)}`;
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`${process}/status`, 'utf8'))?.[1];
  return {
    memoryMegabytes: Math.round(Number(kilobytes) / 1024),
    handles: readdirSync(`${process}/fd`).length,
    files: await filesOf(node),
  };
}

/** The agent as this machine sees it: the node has other numbers. */
function agentProcess({ machine }: EdgeNode): number {
  const inside = /^\/proc\/\d+/.exec(machine.node.hostPath(machine.paths.configFolder))?.[0] ?? '';
  const namespace = readlinkSync(`${inside}/ns/pid_for_children`);
  const agents = processesInNamespace(namespace).filter((pid) => isAgent(pid, machine.paths.agent));
  const [agent] = agents;
  if (agent === undefined || agents.length > 1) throw new Error(`There are ${agents.length} agents to be seen`);
  return agent;
}

function isAgent(pid: number, program: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(`${program}\0--config\0`);
  } catch {
    return false;
  }
}

async function filesOf({ machine }: EdgeNode): Promise<number> {
  const { configFolder, stateFolder, programFolder, bookkeeping } = machine.paths;
  const trees = [configFolder, stateFolder, programFolder, bookkeeping].map(async (folder) =>
    pictureOf(machine.node.hostPath(folder)),
  );
  return (await Promise.all(trees)).flatMap((tree) => Object.keys(steadyFiles(tree))).length;
}
