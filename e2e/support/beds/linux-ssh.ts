/**
 * Linux nodes that are reached over SSH: the same nspawn nodes, whose own sshd is behind a port of this machine, and which
 * find ports of this machine on their own loopback.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDoors, type Doors } from '../cloud/node-doors.ts';
import { freePort } from '@fenestra/platform/testing/free-port';
import type { BedNode } from './bed-node.ts';
import { commandFailed, mustRun } from './command.ts';
import { startLinuxNode } from './linux-bed.ts';

/** How the nodes are made. */
export interface LinuxSshOptions {
  readonly nodes: number;
  /** Ports of this machine that the nodes find on their own loopback. */
  readonly reachable: readonly number[];
}

/** A Linux node and the port of this machine at which its SSH server is. */
export interface LinuxSshNode {
  readonly node: BedNode;
  readonly host: string;
  readonly port: number;
}

/** Linux nodes with their SSH servers. */
export interface LinuxSshBed {
  readonly nodes: readonly LinuxSshNode[];
  /** A private key that root of every node lets in. */
  readonly keyFile: string;
  /** A file that knows every node. */
  readonly knownHosts: string;
  stop(): Promise<void>;
}

/** An account that is not root, and may become it with its password. */
export const OPERATOR = { name: 'installer', password: 'not-so-secret-7' } as const;

const HOST = '127.0.0.1';
/** What boots at the same time; more only get into each other's way. */
const LANES = 4;

/** Boots so many Linux nodes. */
export async function startLinuxSsh(options: LinuxSshOptions, signal: AbortSignal): Promise<LinuxSshBed> {
  const folder = await mkdtemp(join(tmpdir(), 'fenestra-linux-ssh-'));
  const nodes: LinuxSshNode[] = [];
  const doors: Doors[] = [];
  let left = options.nodes;
  const keyFile = join(folder, 'user_key');
  const knownHosts = join(folder, 'known_hosts');
  const stop = async (): Promise<void> => {
    for (const door of doors) await door.close();
    await Promise.all(nodes.map(async ({ node }) => node.stop()));
    await rm(folder, { recursive: true, force: true });
  };
  const lane = async (): Promise<void> => {
    for (; left > 0;) {
      left -= 1;
      const node = await startLinuxNode({}, signal);
      const ssh = { node, host: HOST, port: await freePort() };
      nodes.push(ssh);
      await letIn(node, keyFile);
      doors.push(await connect(ssh, options.reachable));
    }
  };
  try {
    await mustRun(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', keyFile], {}, signal);
    await Promise.all(Array.from({ length: LANES }, lane));
    await writeFile(knownHosts, (await Promise.all(nodes.map(knownHost))).join(''));
    return { nodes, keyFile, knownHosts, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function connect({ node, port }: LinuxSshNode, reachable: readonly number[]): Promise<Doors> {
  const leader = /^\/proc\/(\d+)\/root/.exec(node.hostPath('/'))?.[1] ?? '';
  const outward = reachable.map((here) => ({ here, there: here }));
  return openDoors(leader, { outward, inward: [{ here: port, there: 22 }] });
}

async function letIn(node: BedNode, keyFile: string): Promise<void> {
  const key = await readFile(`${keyFile}.pub`);
  await must(node, 'useradd', '--create-home', '--shell', '/bin/bash', '--groups', 'sudo', OPERATOR.name);
  await must(node, 'sh', '-c', `echo '${OPERATOR.name}:${OPERATOR.password}' | chpasswd`);
  await mkdir(node.hostPath('/root/.ssh'), { recursive: true, mode: 0o700 });
  await writeFile(node.hostPath('/root/.ssh/authorized_keys'), key, { mode: 0o600 });
}

async function must(node: BedNode, program: string, ...args: readonly string[]): Promise<void> {
  const result = await node.run(program, args);
  if (result.exitCode !== 0) throw commandFailed(program, result);
}

async function knownHost({ node, host, port }: LinuxSshNode): Promise<string> {
  const key = await readFile(node.hostPath('/etc/ssh/ssh_host_ed25519_key.pub'), 'utf8');
  return `[${host}]:${port} ${key.split(' ').slice(0, 2).join(' ')}\n`;
}
