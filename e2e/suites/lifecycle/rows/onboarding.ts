import { KINDS } from '@fenestra/kube-api';
import { expect, test, vi } from 'vitest';
import * as z from 'zod';
import { filesWithToken } from '../../../support/cloud/files-with-token.ts';
import { PATIENCE, unlimited } from '../../../support/cloud/patience.ts';
import { OWN_VERSION } from '../../../support/releases/versions.ts';
import { join, joinArgs } from '../../../support/lifecycle/administrator.ts';
import { ask } from '../../../support/lifecycle/answer.ts';
import type { LifeParts } from '../../../support/lifecycle/life-parts.ts';
import { leftOf, standingOf } from '../../../support/lifecycle/node-state.ts';

const Check = z.object({ name: z.string(), verdict: z.string(), reason: z.string() });
const Doctor = z.object({ checks: z.array(Check) });

/** "New Windows node onboarding": one command, and the node works. On Linux it is the same command. */
export function onboarding(parts: LifeParts): void {
  test('New Windows node onboarding: a dry run shows the plan and changes nothing', async () => {
    const { node } = parts();
    const { exitCode, said } = await join(parts(), '--dry-run');
    expect({ exitCode, said }).toEqual({ exitCode: 0, said: expect.stringContaining('"dryRun": true') });
    expect(await leftOf(node)).toEqual([]);
  });

  test('New Windows node onboarding: EdgeCore service running; node registered to cloud', async () => {
    const { cloud, node } = parts();
    expect(await join(parts())).toMatchObject({ exitCode: 0, outcome: 'applied' });
    expect(await standingOf(node)).toEqual({ version: OWN_VERSION, connected: true });
    await vi.waitFor(
      async () => expect(await cloud.api.find(KINDS.node, { name: node.name }, unlimited())).toBeDefined(),
      PATIENCE,
    );
  });

  test('New Windows node onboarding: doctor finds the name, the cloud and the certificate of the node in order', async () => {
    const { machine, name } = parts().node;
    const { stdout } = await machine.keadm(['doctor', '--output', 'json']);
    const { checks } = Doctor.parse(JSON.parse(stdout));
    expect(checks).toEqual(
      expect.arrayContaining([
        { name: 'node-name', verdict: 'pass', reason: `This machine is the node "${name}"` },
        { name: 'cloud', verdict: 'pass', reason: expect.stringMatching(/The cloud at "127\.0\.0\.1:\d+" answers/) },
        { name: 'certificate', verdict: 'pass', reason: expect.stringContaining('is valid until') },
      ]),
    );
  });

  test('New Windows node onboarding: the token is used up and nowhere to be found', async () => {
    const { cloud, node } = parts();
    expect(await filesWithToken(node.machine, await cloud.token())).toEqual([]);
  });

  test('New Windows node onboarding: a second run changes nothing, needs no token and says so', async () => {
    const { machine } = parts().node;
    const answer = await ask(machine, joinArgs(parts().node));
    expect(answer).toMatchObject({ exitCode: 0, outcome: 'unchanged' });
  });
}
