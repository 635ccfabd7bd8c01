import { expect, test } from 'vitest';
import { ask } from '../../../support/lifecycle/answer.ts';
import type { LifeParts } from '../../../support/lifecycle/life-parts.ts';
import { leftOf } from '../../../support/lifecycle/node-state.ts';

const CONFIRMATION_NEEDED = 68;

/** "Node decommissioning": the machine is as if it had never been a node. */
export function decommissioning(parts: LifeParts): void {
  test('Node decommissioning: without a terminal to ask, nothing happens unless forced', async () => {
    const { node } = parts();
    expect(await ask(node.machine, ['reset'])).toMatchObject({ exitCode: CONFIRMATION_NEEDED });
    expect((await node.status())?.connected).toBe(true);
  });

  test('Node decommissioning: EdgeCore service stopped and deleted; all KubeEdge-related files removed', async () => {
    const { node } = parts();
    expect(await ask(node.machine, ['reset', '--force'])).toMatchObject({ exitCode: 0, outcome: 'applied' });
    expect(await leftOf(node)).toEqual([]);
  });

  test('Node decommissioning: a second run has nothing to do', async () => {
    const answer = await ask(parts().node.machine, ['reset', '--force']);
    expect(answer).toMatchObject({ exitCode: 0, outcome: 'unchanged' });
  });
}
