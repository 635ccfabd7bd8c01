import { cp, mkdir, readdir } from 'node:fs/promises';
import { KINDS } from '@fenestra/kube-api';
import { expect, test } from 'vitest';
import { prepareNode } from '../../../support/cloud/edge-node.ts';
import { unlimited, untilConnected } from '../../../support/cloud/patience.ts';
import { type MachineChoice, pathOn } from '../../../support/machines/keadm-machine.ts';
import type { Life } from '../../../support/lifecycle/administrator.ts';
import { ask, AT_ONCE } from '../../../support/lifecycle/answer.ts';
import type { LifeParts } from '../../../support/lifecycle/life-parts.ts';
import { standingOf } from '../../../support/lifecycle/node-state.ts';

/** "Edge node backup for migration": the node moves to a fresh machine, where its life goes on. */
export function backupForMigration(parts: LifeParts, choice: MachineChoice, moveTo: (life: Life) => void): void {
  test('Edge node backup for migration: create a backup of configuration and certificates', async () => {
    const { machine } = parts().node;
    const folder = pathOn(machine, machine.paths.ownFolder, 'backup_path');
    expect(await ask(machine, ['backup', '--dir', folder])).toMatchObject({ exitCode: 0 });
    expect((await readdir(machine.node.hostPath(folder))).filter((name) => name.endsWith('.tar.gz'))).toHaveLength(1);
  });

  test('Edge node backup for migration: a fresh machine becomes the node, once the old one is off', async () => {
    const { cloud, node } = parts();
    const before = await standingOf(node);
    const uid = (await cloud.api.get(KINDS.node, { name: node.name }, unlimited())).metadata.uid;
    const fresh = await choice.start(unlimited());
    const folder = pathOn(fresh, fresh.paths.ownFolder, 'backup_path');
    await mkdir(fresh.node.hostPath(folder));
    await cp(node.machine.node.hostPath(folder), fresh.node.hostPath(folder), { recursive: true });
    await node.stop();
    const moved = await prepareNode(node.name, fresh, cloud, node.network);
    moveTo({ cloud, node: moved });
    expect(await ask(fresh, ['restore', '--dir', folder, ...AT_ONCE])).toMatchObject({
      exitCode: 0,
      outcome: 'applied',
    });
    await untilConnected(moved);
    expect(await standingOf(moved)).toEqual(before);
    expect((await cloud.api.get(KINDS.node, { name: node.name }, unlimited())).metadata.uid).toBe(uid);
  });
}
