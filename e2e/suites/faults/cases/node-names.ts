import { expect, test } from 'vitest';
import { mustRun } from '../../../support/beds/command.ts';
import { unlimited } from '../../../support/cloud/patience.ts';
import { join } from '../../../support/lifecycle/administrator.ts';
import type { LifeParts } from '../../../support/lifecycle/life-parts.ts';
import { processOf } from '../../../support/faults/machine-processes.ts';
import { pictureOfMachine } from '../machine-picture.ts';

const USAGE = 2;

/** Names that Kubernetes refuses are refused here, before it is asked. */
export function nodeNames(parts: LifeParts): void {
  test.each([
    ['an underscore', 'press_7'],
    ['64 characters', 'p'.repeat(64)],
    ['a leading dot', '.press'],
    ['upper case', 'Press-7'],
    ['a letter of another alphabet', 'prüfstand'],
  ])('a node name with %s is refused with the rule, and nothing changes', async (_what, name) => {
    const { machine } = parts().node;
    const before = await pictureOfMachine(machine);
    const { exitCode, error } = await join(parts(), '--edgenode-name', name);
    expect({ exitCode, hint: error?.hint }).toEqual({
      exitCode: USAGE,
      hint: expect.stringMatching(/at most 63 lower-case letters, digits, "-" and "\."/),
    });
    expect(await pictureOfMachine(machine)).toEqual(before);
  });

  test('a host name in upper case becomes a node name in lower case', async () => {
    const { cloud, node } = parts();
    const { hub, https } = node.network.cloudPorts;
    const rename = async (name: string): Promise<unknown> =>
      mustRun(['nsenter', `--target=${processOf(node.machine)}`, '--uts', 'hostname', name], {}, unlimited());
    await rename('PRESS-7');
    const flags = [
      '--cloudcore-ip',
      '127.0.0.1',
      '--hub-port',
      `${hub}`,
      '--certport',
      `${https}`,
      '--dry-run',
      '--skip-check=container-runtime',
    ];
    const { exitCode, stdout } = await node.machine.keadm(['join', ...flags, '--output', 'json'], {
      KEADM_TOKEN: await cloud.token(),
    });
    await rename(node.machine.node.name);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining('"node": "press-7"') });
  });
}
