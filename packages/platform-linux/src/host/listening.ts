import { readFile, stat } from 'node:fs/promises';
import { systemCodeOf } from '@fenestra/kernel';
import type { RuntimeEndpoint } from '@fenestra/platform';

const LISTEN = '0A';
const TABLES: readonly string[] = ['/proc/net/tcp', '/proc/net/tcp6'];

/** The TCP ports someone listens on, from the kernel's own tables: asking needs no rights and disturbs no one. */
export async function listeningPorts(): Promise<ReadonlySet<number>> {
  const tables = await Promise.all(TABLES.map(readTable));
  return new Set(tables.flatMap(parseListeningPorts));
}

/** The listening ports in one table: the second column is `address:port` in hexadecimal, the fourth the state. */
export function parseListeningPorts(table: string): readonly number[] {
  const rows = table.split('\n').map((line) => line.trim().split(/\s+/));
  const local = rows.filter((columns) => columns[3] === LISTEN).map((columns) => columns[1] ?? '');
  return local.map((address) => Number.parseInt(address.slice(address.lastIndexOf(':') + 1), 16));
}

async function readTable(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    // A kernel without IPv6 has no table for it.
    if (systemCodeOf(error) === 'ENOENT') return '';
    throw error;
  }
}

const SOCKETS: readonly (readonly [RuntimeEndpoint['runtime'], path: string])[] = [
  ['containerd', '/run/containerd/containerd.sock'],
  ['cri-o', '/run/crio/crio.sock'],
  ['docker', '/var/run/docker.sock'],
  ['cri-dockerd', '/run/cri-dockerd.sock'],
];

/** The container runtimes whose sockets are in their usual places. */
export async function findRuntimeEndpoints(): Promise<readonly RuntimeEndpoint[]> {
  const found = await Promise.all(SOCKETS.map(([, path]) => isSocket(path)));
  const present = SOCKETS.filter((_, index) => found[index] === true);
  return present.map(([runtime, path]) => ({ runtime, endpoint: `unix://${path}` }));
}

async function isSocket(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isSocket();
  } catch {
    // Whatever keeps us from seeing it keeps us from using it.
    return false;
  }
}
