import { expect, test } from 'vitest';
import { filesWithToken, signatureOf } from '../../cloud/files-with-token.ts';
import { decommission, joinArgs } from '../../lifecycle/administrator.ts';
import { AT_ONCE } from '../../lifecycle/answer.ts';
import type { CommandResult } from '../../beds/command.ts';
import type { FaultParts } from '../fault-parts.ts';
import { writeOwn } from '../own-files.ts';
import { watchChildren } from '../watch-children.ts';

/** A token that was used must be nowhere: not in a file, not in what keadm says, not in what it tells its children. */
export function secretToken(parts: FaultParts): void {
  const joinBy = async (run: (args: readonly string[], token: string) => Promise<CommandResult>): Promise<void> => {
    const { cloud, node } = parts();
    const token = await cloud.token();
    const secret = signatureOf(token);
    const args = [...joinArgs(node), ...AT_ONCE, '--output', 'json'];
    const { result, seen, told } = await watchChildren(node.machine, secret, async () => run(args, token));
    expect(result).toMatchObject({ exitCode: 0, stdout: expect.not.stringContaining(secret) });
    expect(result.stderr).not.toContain(secret);
    expect({ sawAgent: [...seen].some((name) => name.startsWith('edgecore')), told: [...told] }).toEqual({
      sawAgent: true,
      told: [],
    });
    const history = await node.machine.keadm(['history', '--output', 'json']);
    const logs = await node.machine.keadm(['logs']);
    for (const said of [history.stdout, logs.stdout]) expect(said).not.toContain(secret);
    expect(await filesWithToken(node.machine, token)).toEqual([]);
    await decommission(parts());
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
