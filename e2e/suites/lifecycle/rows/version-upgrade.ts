import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { pathOn } from '../../../support/machines/keadm-machine.ts';
import { versionOf } from '../../../support/releases/test-releases.ts';
import { OWN_VERSION } from '../../../support/releases/versions.ts';
import { upgrade } from '../../../support/lifecycle/administrator.ts';
import type { LifeParts } from '../../../support/lifecycle/life-parts.ts';
import { standingOf } from '../../../support/lifecycle/node-state.ts';

/** "EdgeCore version upgrade", as far as it succeeds. */
export function versionUpgrade(parts: LifeParts): void {
  test('EdgeCore version upgrade: EdgeCore upgraded, with a way back kept', async () => {
    const { node } = parts();
    const { machine } = node;
    expect(await upgrade(node, 'good')).toMatchObject({ exitCode: 0, outcome: 'applied' });
    expect(await standingOf(node)).toEqual({ version: versionOf('good'), connected: true });
    const at = (...names: readonly string[]): string =>
      machine.node.hostPath(pathOn(machine, machine.paths.configFolder, ...names));
    expect(await readFile(at('version.txt'), 'utf8')).toBe(`v${versionOf('good')}\n`);
    expect(existsSync(at('backups', `v${OWN_VERSION}`, 'edgecore.yaml'))).toBe(true);
  });

  test('EdgeCore version upgrade: a second run has nothing to do', async () => {
    expect(await upgrade(parts().node, 'good')).toMatchObject({ exitCode: 0, outcome: 'unchanged' });
  });
}
