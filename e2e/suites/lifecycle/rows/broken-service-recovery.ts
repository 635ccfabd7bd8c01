import { AGENT_SERVICE } from '@fenestra/lifecycle';
import { expect, test, vi } from 'vitest';
import { registrationOf } from '../../../support/machines/registration.ts';
import type { LifeParts } from '../../../support/lifecycle/life-parts.ts';
import { standingOf } from '../../../support/lifecycle/node-state.ts';

/** The first wait, and what an agent needs to connect. */
const FIRST_RESTART = { timeout: 110_000, interval: 500 };

/** "Broken service recovery": the policy is on record, and where the bed's own service manager acts on it, it works. */
export function brokenServiceRecovery(parts: LifeParts): void {
  test('Broken service recovery: backoff 60s, 120s, 300s is on record', async ({ skip }) => {
    const { machine } = parts().node;
    skip(machine.target === 'windows-x64', 'Wine takes failure actions and neither stores nor runs them');
    const registration = (await registrationOf(machine, AGENT_SERVICE)) ?? '';
    expect(registration.replaceAll(/\s/g, '')).toMatch(/estartDelaysSeconds["=:]+\[60,120,300\]/);
  });

  test('Broken service recovery: EdgeCore service auto-restarted upon failures', async ({ skip }) => {
    const { node } = parts();
    skip(node.machine.target === 'windows-x64', 'Wine takes failure actions and neither stores nor runs them');
    const before = await node.status();
    await node.machine.node.run('sh', ['-c', 'kill -s KILL "$0"', `${before?.pid}`]);
    await vi.waitFor(async () => {
      expect((await node.status())?.pid).not.toBe(before?.pid);
      expect((await standingOf(node)).connected).toBe(true);
    }, FIRST_RESTART);
  });
}
