import type { Life } from '../../support/lifecycle/administrator.ts';
import type { KilledWork } from '../../support/kill-points/kill-scenario.ts';
import type { KilledCommand } from './killed-commands.ts';
import { isConnected, lookAtNode, type NodePicture } from '../../support/kill-points/node-picture.ts';

/** A command of a node's life, to be killed. */
export function killedNode(command: KilledCommand, life: Life): KilledWork<NodePicture> {
  const { node } = life;
  return {
    name: command.name,
    machine: node.machine,
    staysInService: command.staysInService,
    arrange: async () => command.arrange(life),
    args: async () => command.args(life),
    isInService: async () => isConnected(node),
    look: async () => lookAtNode(node),
  };
}
