import { expect, test } from 'vitest';
import { filesWithToken, signatureOf } from '../../../support/cloud/files-with-token.ts';
import { decommission, joinArgs } from '../../../support/lifecycle/administrator.ts';
import type { CommandResult } from '../../../support/beds/command.ts';
import type { FaultParts } from '../fault-parts.ts';
import { writeOwn } from '../own-files.ts';
import { watchChildren } from '../watch-children.ts';

/** A join with these words and this token. */
type JoinRun = (args: readonly string[], token: string) => Promise<CommandResult>;

/** A token that was used must be nowhere: not in a file, not in what keadm says, not in what it reports its children. */
export function secretToken(parts: FaultParts): void {
  const joinBy = async (run: JoinRun): Promise<void> => {
    const token = await parts().cloud.token();
    try {
      await joinUnseen(parts(), token, run);
      expect(await filesWithToken(parts().node.machine, token)).toEqual([]);
    } finally {
      await decommission(parts());
    }
  };

  test('a token given as a flag shows up nowhere, and keadm says what is wrong with that', async () => {
    const { machine } = parts().node;
    await joinBy(async (args, token) => {
      const result = await machine.keadm([...args, '--token', token]);
      expect(result.stderr).toContain('the process list shows a token given as a flag');
      return result;
    });
  });

  test('a token given by the environment shows up nowhere', async () => {
    await joinBy(async (args, token) => parts().node.machine.keadm(args, { KEADM_TOKEN: token }));
  });

  test('a token given by a file shows up nowhere else', async () => {
    const { machine } = parts().node;
    await joinBy(async (args, token) => {
      const file = await writeOwn(machine, 'token datei', `${token}\n`);
      return machine.keadm([...args, '--token-file', file]);
    });
  });

  test('a token given by standard input shows up nowhere', async ({ skip }) => {
    const { machine } = parts().node;
    skip(machine.target === 'windows-x64', 'The bed has no standard input for a program that it starts elevated');
    await joinBy(async (args, token) => {
      const file = await writeOwn(machine, 'token datei', `${token}\n`);
      const words = [parts().program, ...args, '--token', '-'];
      return machine.node.run('sh', ['-euc', 'input=$0; exec "$@" <"$input"', file, ...words]);
    });
  });
}

/** Joins, and looks for the token in all that can be seen from outside in the meantime, and that keadm tells afterwards. */
async function joinUnseen({ node }: ReturnType<FaultParts>, token: string, run: JoinRun): Promise<void> {
  const secret = signatureOf(token);
  const args = [...joinArgs(node), '--output', 'json'];
  const { result, seen, reported } = await watchChildren(node.machine, secret, async () => run(args, token));
  const later = await Promise.all([node.machine.keadm(['history', '--output', 'json']), node.machine.keadm(['logs'])]);
  expect(result).toMatchObject({ exitCode: 0 });
  expect([result, ...later].filter(({ stdout, stderr }) => `${stdout}${stderr}`.includes(secret))).toEqual([]);
  expect({ sawAgent: [...seen].some((name) => name.startsWith('edgecore')), reported: [...reported] }).toEqual({
    sawAgent: true,
    reported: [],
  });
}
