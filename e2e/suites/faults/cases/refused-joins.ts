import { expect, test } from 'vitest';
import { makeBadTokens } from '../../../support/cloud/join-tokens.ts';
import { joinArgs } from '../../../support/lifecycle/administrator.ts';
import { ask } from '../../../support/lifecycle/answer.ts';
import type { LifeParts } from '../../../support/lifecycle/life-parts.ts';
import { leftOf } from '../../../support/lifecycle/node-state.ts';
import { withClockOff } from '../../../support/faults/clock-relay.ts';
import { pictureOfMachine } from '../machine-picture.ts';

const TOKEN_INVALID = 41;
const HUB_UNREACHABLE = 43;
const CLOCK_WRONG = 45;

/** Joins that cannot come to anything leave a machine as it was, file by file. */
export function refusedJoins(parts: LifeParts): void {
  const refused = async (token: string): Promise<{ exitCode: number; code: string | undefined }> => {
    const { machine } = parts().node;
    const before = await pictureOfMachine(machine);
    const args = [...joinArgs(parts().node), '--wait', '20s'];
    const { exitCode, error } = await ask(machine, args, { KEADM_TOKEN: token });
    expect(await leftOf(parts().node)).toEqual([]);
    expect(await pictureOfMachine(machine)).toEqual(before);
    return { exitCode, code: error?.code };
  };

  test('a text that is not a token leaves the machine clean', async () => {
    expect(await refused('nonsense')).toEqual({ exitCode: TOKEN_INVALID, code: 'TOKEN_INVALID' });
  });

  test.each([
    ['that has expired', 'expired'],
    ['of another cloud', 'otherCa'],
  ] as const)('a token %s leaves the machine clean', async (_what, kind) => {
    const tokens = await makeBadTokens(parts().cloud.api);
    expect(await refused(tokens[kind])).toEqual({ exitCode: TOKEN_INVALID, code: 'TOKEN_INVALID' });
  });

  test('a token that only the cloud can tell to be forged leaves the machine clean', async () => {
    const { foreign } = await makeBadTokens(parts().cloud.api);
    const { exitCode } = await refused(foreign);
    expect(exitCode).not.toBe(0);
  });

  test('a cloud out of reach leaves the machine clean', async () => {
    const token = await parts().cloud.token();
    await parts().node.network.cut();
    try {
      expect(await refused(token)).toEqual({ exitCode: HUB_UNREACHABLE, code: 'HUB_UNREACHABLE' });
    } finally {
      await parts().node.network.restore();
    }
  });

  test("a clock ten years ahead of the cloud's is found out before anything changes", async () => {
    const token = await parts().cloud.token();
    const answer = await withClockOff(parts(), async () => refused(token));
    expect(answer).toEqual({ exitCode: CLOCK_WRONG, code: 'CLOCK_WRONG' });
  });
}
