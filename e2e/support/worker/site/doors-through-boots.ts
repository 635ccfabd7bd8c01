import type { BedNode } from '../../beds/bed-node.ts';
import { openDoors } from '../../cloud/node-doors.ts';

/**
 * The node with a door to each of these ports of this machine's loopback in its own: in its network, the cluster is
 * where it says it is. A node that boots gets a new network, and its doors with it.
 */
export async function withDoors<Node extends BedNode>(node: Node, ports: readonly number[]): Promise<Node> {
  const outward = ports.map((port) => ({ here: port, there: port }));
  const open = async (): ReturnType<typeof openDoors> => openDoors(leaderOf(node), { outward, inward: [] });
  let doors = await open();
  const through = async (boot: () => Promise<void>): Promise<void> => {
    await doors.close();
    await boot();
    doors = await open();
  };
  return {
    ...node,
    reboot: async () => through(async () => node.reboot()),
    powerFail: async () => through(async () => node.powerFail()),
    async stop() {
      await doors.close();
      await node.stop();
    },
  };
}

/** The process whose network is the node's. */
function leaderOf(node: BedNode): string {
  return /^\/proc\/(\d+)\/root/.exec(node.hostPath('/'))?.[1] ?? 'self';
}
