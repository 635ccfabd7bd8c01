import { afterAll, beforeAll, describe } from 'vitest';
import { startEmbeddedCloud } from '../../support/cloud/cloud.ts';
import { prepareNode } from '../../support/cloud/edge-node.ts';
import { unlimited } from '../../support/cloud/patience.ts';
import type { MachineChoice } from '../../support/machines/keadm-machine.ts';
import { testReleases } from '../../support/releases/test-releases.ts';
import type { Life } from '../../support/lifecycle/administrator.ts';
import { backupForMigration } from './rows/backup-for-migration.ts';
import { brokenServiceRecovery } from './rows/broken-service-recovery.ts';
import { configurationUpdate } from './rows/configuration-update.ts';
import { decommissioning } from './rows/decommissioning.ts';
import { longRunningStability } from './rows/long-running-stability.ts';
import { disruptionOfJoin, disruptionOfProof } from './rows/network-disruption.ts';
import { onboarding } from './rows/onboarding.ts';
import { permissionEnforcement } from './rows/permission-enforcement.ts';
import { serviceInstall, serviceUninstall } from './rows/service-registration.ts';
import { upgradeRollback } from './rows/upgrade-rollback.ts';
import { versionUpgrade } from './rows/version-upgrade.ts';

/** The whole life of one node, row by row, from a bare machine to a bare machine. */
export function lifeCases(choice: MachineChoice): void {
  describe(`the life of a node on ${choice.title}`, () => {
    let life: Life;
    const parts = (): Life => life;

    beforeAll(async () => {
      const cloud = await startEmbeddedCloud();
      const machine = await choice.start(unlimited());
      await testReleases(machine.target);
      life = { cloud, node: await prepareNode(machine.node.name, machine, cloud) };
    });
    afterAll(async () => {
      await life.node.stop();
      await life.cloud.stop();
    });

    permissionEnforcement(parts);
    disruptionOfJoin(parts);
    onboarding(parts);
    serviceInstall(parts);
    configurationUpdate(parts);
    disruptionOfProof(parts);
    versionUpgrade(parts);
    upgradeRollback(parts);
    longRunningStability(parts);
    brokenServiceRecovery(parts);
    backupForMigration(parts, choice, (moved) => (life = moved));
    decommissioning(parts);
    serviceUninstall(parts);
  });
}
