import { afterAll, beforeAll, describe } from 'vitest';
import { startEmbeddedCloud } from '../../support/cloud/cloud.ts';
import { prepareNode } from '../../support/cloud/edge-node.ts';
import { unlimited } from '../../support/cloud/patience.ts';
import { type MachineChoice, pathOn } from '../../support/machines/keadm-machine.ts';
import { failingScripts } from './cases/failing-scripts.ts';
import { fullDiskJoin } from './cases/full-disk-join.ts';
import { fullDiskUpgrade } from './cases/full-disk-upgrade.ts';
import { heldProgram, heldReset } from './cases/held-files.ts';
import { nodeNames } from './cases/node-names.ts';
import { oddJoin } from './cases/odd-join.ts';
import { oddPaths } from './cases/odd-paths.ts';
import { refusedJoins } from './cases/refused-joins.ts';
import { secretToken } from './cases/secret-token.ts';
import { unwritableBackup } from './cases/unwritable-backup.ts';
import type { FaultParts } from './fault-parts.ts';
import { isShortRun } from '../../support/reporting/short-run.ts';
import { diskOf, type NodeDisk } from '../../support/faults/node-disk.ts';

/** A machine is not made ready for a small disk where no test fills it. */
const NO_DISK: NodeDisk = {
  withRoom: async () => noDisk(),
  fill: () => noDisk(),
  fillUpTo: async () => noDisk(),
};

function noDisk(): never {
  throw new Error('A short run fills no disk');
}

/** What may go wrong in the life of a node, on one machine: first while it is bare, then while it is a node. */
export function faultCases({ title, start }: MachineChoice): void {
  describe(`faults that a node survives on ${title}`, () => {
    let there: ReturnType<FaultParts>;
    const parts: FaultParts = () => there;

    beforeAll(async () => {
      const cloud = await startEmbeddedCloud();
      const machine = await start(unlimited());
      const program = pathOn(
        machine,
        machine.paths.ownFolder,
        machine.target === 'windows-x64' ? 'keadm.exe' : 'keadm',
      );
      there = {
        cloud,
        node: await prepareNode(machine.node.name, machine, cloud),
        disk: isShortRun() ? NO_DISK : await diskOf(machine),
        program,
      };
    });
    afterAll(async () => {
      await there.node.stop();
      await there.cloud.stop();
    });

    nodeNames(parts);
    refusedJoins(parts);
    failingScripts(parts);
    if (!isShortRun()) fullDiskJoin(parts);
    secretToken(parts);
    oddJoin(parts);
    heldProgram(parts);
    unwritableBackup(parts);
    if (!isShortRun()) fullDiskUpgrade(parts);
    oddPaths(parts);
    heldReset(parts);
  });
}
