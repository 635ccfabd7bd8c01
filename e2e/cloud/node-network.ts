import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeadmMachine } from '../machines/keadm-machine.ts';
import { freePort } from './free-port.ts';
import { openRelay, type Endpoint, type Relay } from './relay.ts';

/** The ports of the cloud's own machine. */
export interface CloudPorts {
  readonly hub: number;
  readonly https: number;
}

/** The ports on a node's own loopback. */
export interface NodePorts {
  /** Where the node finds the cloud. */
  readonly cloudPorts: CloudPorts;
  /** Where the node's local API is: the same port for the node and for the test. */
  readonly metaServerPort: number;
}

/** The network between a node and its cloud. */
export interface NodeNetwork extends NodePorts {
  /** Cuts the node off from the cloud; the test still reaches both. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  close(): Promise<void>;
}

/** Lays the network from a node to a cloud; a node with a loopback of its own gets doors into it. */
export async function layNetwork(
  { node, paths }: KeadmMachine,
  cloud: CloudPorts,
  wanted?: NodePorts,
): Promise<NodeNetwork> {
  const ports = wanted ?? (await choosePorts());
  const { hub, https } = ports.cloudPorts;
  const toCloud = [
    await openRelay({ port: hub }, { port: cloud.hub }),
    await openRelay({ port: https }, { port: cloud.https }),
  ];
  const leader = /^\/proc\/(\d+)\/root/.exec(node.hostPath(paths.configFolder))?.[1] ?? 'self';
  const doors = isOwnNetwork(leader) ? undefined : await openDoors(leader, [hub, https], ports.metaServerPort);
  return {
    ...ports,
    async cut() {
      for (const relay of toCloud) await relay.cut();
    },
    async mend() {
      for (const relay of toCloud) await relay.mend();
    },
    async close() {
      for (const relay of toCloud) await relay.close();
      await doors?.close();
    },
  };
}

async function choosePorts(): Promise<NodePorts> {
  const [hub, https, metaServerPort] = await Promise.all([freePort(), freePort(), freePort()]);
  return { cloudPorts: { hub, https }, metaServerPort };
}

function isOwnNetwork(process: string): boolean {
  return readlinkSync(`/proc/${process}/ns/net`) === readlinkSync('/proc/self/ns/net');
}

/** Outward doors lead from the node's loopback to this machine's, the inward one the other way. */
async function openDoors(
  leader: string,
  outward: readonly number[],
  inward: number,
): Promise<{ close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'fenestra-door-'));
  const socketOf = (port: number): Endpoint => ({ path: join(folder, `${port}`) });
  const relays: Relay[] = [];
  for (const port of outward) relays.push(await openRelay(socketOf(port), { port }));
  const inside = [...outward.map((port) => [{ port }, socketOf(port)]), [socketOf(inward), { port: inward }]];
  const door = await runInside(leader, inside);
  relays.push(await openRelay({ port: inward }, socketOf(inward)));
  return {
    async close() {
      door.kill('SIGKILL');
      for (const relay of relays) await relay.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function runInside(leader: string, stretches: readonly unknown[]): Promise<ChildProcess> {
  const program = join(import.meta.dirname, 'network-door.ts');
  const enter = ['--pdeathsig', 'KILL', 'nsenter', `--net=/proc/${leader}/ns/net`];
  const args = [...enter, process.execPath, program, JSON.stringify(stretches)];
  const door = spawn('setpriv', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(door, 'exit').then(() => {
    throw new Error("Cannot open a door into the node's network");
  });
  await Promise.race([once(door.stdout, 'data'), gone]);
  gone.catch(() => undefined);
  return door;
}
