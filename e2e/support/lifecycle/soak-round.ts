import type { EdgeNode } from '../cloud/edge-node.ts';
import { untilConnected } from '../cloud/patience.ts';
import { upgrade, writeConfigFile } from './administrator.ts';
import { AT_ONCE, mustDo, succeeded } from './answer.ts';

/** What a round is made of. */
export interface RoundWishes {
  readonly round: number;
  /** How often the agent is reloaded and loses its cloud between the upgrade and the rollback. */
  readonly disturbances: number;
  /** Called once the new version works, and after all the disturbances of the same process. */
  readonly look?: (moment: 'fresh' | 'disturbed') => Promise<void>;
}

/** One round of what happens to a node in a long life: upgrade, reloads, lost connections, rollback. */
export async function soakRound(node: EdgeNode, { round, disturbances, look }: RoundWishes): Promise<void> {
  succeeded(await upgrade(node, 'good'));
  await look?.('fresh');
  for (let time = 0; time < disturbances; time += 1) await disturb(node, `${round}-${time}`);
  await look?.('disturbed');
  await mustDo(node.machine, ['rollback', ...AT_ONCE]);
  await untilConnected(node);
}

async function disturb(node: EdgeNode, label: string): Promise<void> {
  const file = await writeConfigFile(node, 'soak.yaml', { 'modules.edged.nodeLabels': { soak: label } });
  await mustDo(node.machine, ['config', 'apply', file, ...AT_ONCE]);
  await node.network.cut();
  await untilConnected(node, false);
  await node.network.restore();
  await untilConnected(node);
}
