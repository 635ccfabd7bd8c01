import { existsSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { PATIENCE, untilConnected } from '../../../support/cloud/patience.ts';
import { join, type Life, upgrade } from '../../../support/lifecycle/administrator.ts';
import type { Answer } from '../../../support/lifecycle/answer.ts';
import type { LifeParts } from '../../../support/lifecycle/life-parts.ts';
import { leftOf, standingOf } from '../../../support/lifecycle/node-state.ts';

/** Short, because nothing comes while the network is cut. */
const WAIT = ['--wait', '15s'];
const OFTEN = { timeout: PATIENCE.timeout, interval: 20 };

/** The test matrix's "Network disruption", while a machine joins. */
export function disruptionOfJoin(parts: LifeParts): void {
  test('Network disruption: disabled before cloudcore communication, join changes nothing and says why', async () => {
    const { node } = parts();
    await node.network.cut();
    const { exitCode, said } = await join(parts(), ...WAIT);
    await node.network.restore();
    expect({ failed: exitCode !== 0, said }).toEqual({ failed: true, said: expect.stringMatching(/127\.0\.0\.1/) });
    expect(await leftOf(node)).toEqual([]);
  });

  test('Network disruption: disabled during join, the machine is clean again and can join', async () => {
    const { node } = parts();
    const { machine } = node;
    const answer = await cutOnce(
      parts(),
      () => existsSync(machine.node.hostPath(machine.paths.agent)),
      async () => join(parts(), ...WAIT),
    );
    expect(answer).toMatchObject({ outcome: 'reverted', error: expect.objectContaining({ code: expect.any(String) }) });
    expect(await leftOf(node)).toEqual([]);
  });
}

/** "Network disruption", while a new version has to prove itself. */
export function disruptionOfProof(parts: LifeParts): void {
  test('Network disruption: disabled during the health proof, the node is back on the prior version', async () => {
    const { node } = parts();
    const before = await standingOf(node);
    const pid = (await node.status())?.pid;
    const answer = await cutOnce(
      parts(),
      async () => (await node.status())?.pid !== pid,
      async () => upgrade(node, 'good', ...WAIT),
    );
    expect(answer).toMatchObject({ outcome: 'reverted', error: expect.objectContaining({ code: expect.any(String) }) });
    await untilConnected(node);
    expect(await standingOf(node)).toEqual(before);
  });
}

/** Cuts the network as soon as the moment has come, and fixes it when the work has ended. */
async function cutOnce(
  { node }: Life,
  isMoment: () => boolean | Promise<boolean>,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const working = work();
  try {
    await vi.waitFor(async () => expect(await isMoment()).toBe(true), OFTEN);
    await node.network.cut();
    return await working;
  } finally {
    await node.network.restore();
  }
}
