import { readFileSync, readlinkSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { AGENT_STATUS_FILE, AgentStatus } from '@fenestra/contracts';
import { parseJson } from '@fenestra/kernel';
import { processesInNamespaces } from '../../support/beds/process-tree.ts';
import type { FleetNode } from './fleet-site.ts';

const PLACES = {
  linux: { state: '/var/lib/kubeedge', journals: '/var/lib/fenestra/journal', runs: '/var/lib/fenestra/batch/runs' },
  windows: {
    state: 'C:\\var\\lib\\kubeedge',
    journals: 'C:\\var\\lib\\fenestra\\journal',
    runs: 'C:\\windows\\fenestra\\runs',
  },
} as const;

/** How a node stands, and every sign of someone having worked on it. */
export interface NodeTraces {
  readonly version: string | undefined;
  readonly connected: boolean | undefined;
  readonly pid: number | undefined;
  readonly journals: readonly string[];
}

/** Looks at a node's files from outside. */
export async function tracesOf({ node, os }: FleetNode): Promise<NodeTraces> {
  const at = (folder: string, ...names: readonly string[]): string =>
    node.hostPath([folder, ...names].join(os === 'windows' ? '\\' : '/'));
  const text = await readFile(at(PLACES[os].state, AGENT_STATUS_FILE), 'utf8').catch(() => '');
  const status = AgentStatus.safeParse(parseJson(text)).data;
  const journals = await readdir(at(PLACES[os].journals)).catch(() => []);
  return {
    version: status?.version,
    connected: status?.connected,
    pid: status?.pid,
    journals: journals.filter((name) => name.endsWith('.journal')).toSorted(),
  };
}

/** What batch runs have left on a node: their folders, and processes of theirs. */
export async function leftByRuns(node: FleetNode): Promise<readonly string[]> {
  const folders = await readdir(node.node.hostPath(PLACES[node.os].runs)).catch(() => []);
  const farEnds = processesOnNodes([node])
    .map(commandLineOf)
    .filter((line) => line.includes('far-end'));
  return [...folders, ...farEnds];
}

/** Everything that runs on these nodes, by the numbers it has on this machine. */
export function processesOnNodes(nodes: readonly FleetNode[]): readonly number[] {
  const namespaces = new Set(nodes.map(namespaceOf));
  return processesInNamespaces((namespace) => namespaces.has(namespace));
}

function namespaceOf({ node, os }: FleetNode): string {
  const pid = /^\/proc\/(\d+)\/root/.exec(node.hostPath(os === 'windows' ? 'C:\\' : '/'))?.[1] ?? 'self';
  return readlinkSync(`/proc/${pid}/ns/pid_for_children`);
}

/** The words that a process was started with; nothing if it has ended. */
export function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}
