import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { joinArgs } from '../../../support/lifecycle/administrator.ts';
import type { LifeParts } from '../../../support/lifecycle/life-parts.ts';

const PRIVILEGE_REQUIRED = 3;

/** The test matrix's "Permission enforcement": without rights every command says so and changes nothing. */
export function permissionEnforcement(parts: LifeParts): void {
  test.each([
    ['join', []],
    ['upgrade', ['--version', 'v9.9.9', '--from', 'nowhere']],
    ['rollback', []],
    ['backup', ['--dir', 'nowhere']],
    ['restore', ['--dir', 'nowhere']],
    ['config', ['set', 'modules.edgeHub.heartbeat=20']],
    ['reset', ['--force']],
  ] as const)('Permission enforcement: non-admin execution of "keadm %s" is refused', async (command, more) => {
    const { machine } = parts().node;
    const words = command === 'join' ? joinArgs(parts().node) : [command, ...more];
    const { exitCode, stderr } = await machine.keadmWithoutRights(words);
    expect({ exitCode, stderr }).toEqual({
      exitCode: PRIVILEGE_REQUIRED,
      stderr: expect.stringMatching(/Error: .*\nHint: .*(administrator|sudo)/i),
    });
    const { configFolder, stateFolder, bookkeeping, agent } = machine.paths;
    const made = [configFolder, stateFolder, bookkeeping, agent].filter((path) =>
      existsSync(machine.node.hostPath(path)),
    );
    expect(made).toEqual([]);
  });
}
