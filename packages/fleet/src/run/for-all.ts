import type { BatchNode } from '../inventory/batch-node.ts';
import type { Scene } from './scene.ts';

/** Does something to all these nodes at once, as the budgets allow. Ends when all have ended, even if some reject. */
export async function forAll(
  scene: Scene,
  nodes: readonly BatchNode[],
  work: (node: BatchNode) => Promise<void>,
): Promise<void> {
  const ends = await Promise.allSettled(nodes.map(async (node) => work(node)));
  scene.gone.throwIfAborted();
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
