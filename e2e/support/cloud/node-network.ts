import { readlinkSync } from 'node:fs';
import type { KeadmMachine } from '../machines/keadm-machine.ts';
import { freePort } from '@fenestra/platform/testing/free-port';
import { openDoors, type Passage } from './node-doors.ts';
import { openRelay } from './relay.ts';

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
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** Lays the network from a node to a cloud; a node with a separate loopback gets doors into it. */
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
  const doors = isOwnNetwork(leader)
    ? undefined
    : await openDoors(leader, { outward: [same(hub), same(https)], inward: [same(ports.metaServerPort)] });
  return {
    ...ports,
    async cut() {
      for (const relay of toCloud) await relay.cut();
    },
    async restore() {
      for (const relay of toCloud) await relay.restore();
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

function same(port: number): Passage {
  return { here: port, there: port };
}
