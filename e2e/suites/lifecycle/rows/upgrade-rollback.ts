import { expect, test } from 'vitest';
import { untilConnected } from '../../../support/cloud/patience.ts';
import { OWN_VERSION } from '../../../support/releases/versions.ts';
import { upgrade } from '../../../support/lifecycle/administrator.ts';
import { ask, AT_ONCE } from '../../../support/lifecycle/answer.ts';
import type { LifeParts } from '../../../support/lifecycle/life-parts.ts';
import { standingOf } from '../../../support/lifecycle/node-state.ts';

/** The test matrix's "Upgrade rollback": corruption before and after the signature, and the rollback manually. */
export function upgradeRollback(parts: LifeParts): void {
  test('Upgrade rollback: a binary corrupted on its way is refused before anything changes', async () => {
    const { node } = parts();
    const before = await node.status();
    const { exitCode, error } = await upgrade(node, 'flipped');
    expect({ exitCode: exitCode === 0, sha256s: error?.message.match(/[0-9a-f]{64}/g)?.length }).toEqual({
      exitCode: false,
      sha256s: 2,
    });
    expect(await node.status()).toMatchObject({ pid: before?.pid, version: before?.version, connected: true });
  });

  test('Upgrade rollback: a binary corrupted before it was signed leads back to the prior version', async () => {
    const { node } = parts();
    const before = await standingOf(node);
    const answer = await upgrade(node, 'corrupted', '--wait', '30s');
    expect(answer).toMatchObject({ outcome: 'reverted', error: expect.objectContaining({ hint: expect.any(String) }) });
    expect(answer.exitCode).not.toBe(0);
    await untilConnected(node);
    expect(await standingOf(node)).toEqual(before);
  });

  test('Upgrade rollback: "keadm rollback" goes back to the version that was replaced', async () => {
    const { node } = parts();
    const answer = await ask(node.machine, ['rollback', ...AT_ONCE]);
    expect(answer).toMatchObject({ exitCode: 0, outcome: 'applied' });
    expect(await standingOf(node)).toEqual({ version: OWN_VERSION, connected: true });
  });
}
