import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cloud, startEmbeddedCloud } from '../../support/cloud/cloud.ts';
import { type EdgeNode, prepareNode } from '../../support/cloud/edge-node.ts';
import { unlimited, untilConnected } from '../../support/cloud/patience.ts';
import { isShortRun } from '../../support/reporting/short-run.ts';
import { textTable } from '../../support/reporting/text-table.ts';
import { join, upgrade } from '../../support/lifecycle/administrator.ts';
import { succeeded } from '../../support/lifecycle/answer.ts';
import type { MachineChoice } from '../../support/machines/keadm-machine.ts';
import { testReleases } from '../../support/releases/test-releases.ts';
import { BEHAVIOUR_PLACES } from '../../support/releases/behaviour.ts';
import { BAD_UPGRADES, type BadUpgrade } from './bad-upgrades.ts';

/** How long a version may take to prove itself, and has to go on working: longer than the worst one lives. */
const WAIT_SECONDS = 30;
const SETTLE_SECONDS = 15;
/** Both of them, the exchange there and back, and the old version's own proof. */
const LIMIT_SECONDS = 2 * (WAIT_SECONDS + SETTLE_SECONDS);
const HEAD = ['upgrade to', 'system', 'seconds', 'ended on', 'reason'];

/** Upgrades one machine to everything that is bad; each time it has to end where it began. */
export function badUpgradeCases({ title, start }: MachineChoice): void {
  describe(`bad upgrades on ${title}`, () => {
    const rows: (readonly (string | number)[])[] = [];
    let cloud: Cloud;
    let node: EdgeNode;
    let version: string | undefined;

    beforeAll(async () => {
      cloud = await startEmbeddedCloud();
      const machine = await start(unlimited());
      await testReleases(machine.target);
      node = await prepareNode(machine.node.name, machine, cloud);
      succeeded(await join({ cloud, node }));
      version = (await node.status())?.version;
    });
    afterAll(async () => {
      process.stdout.write(`${textTable(HEAD, rows)}\n`);
      await node.stop();
      await cloud.stop();
    });

    test.each(BAD_UPGRADES.filter(isWanted))('an upgrade to $what ends on the old version, connected', async (bad) => {
      await tellAgent(node, bad);
      const began = performance.now();
      const limits = ['--wait', `${WAIT_SECONDS}s`, '--settle', `${SETTLE_SECONDS}s`];
      const { exitCode, error } = await upgrade(node, bad.release, ...limits);
      await untilConnected(node);
      const seconds = Math.round((performance.now() - began) / 1000);
      const endedOn = (await node.status())?.version;
      rows.push([bad.what, title, seconds, endedOn ?? 'nothing', error?.message ?? 'none']);
      expect({ endedOn, failed: exitCode !== 0, hasReason: error !== undefined }).toEqual({
        endedOn: version,
        failed: true,
        hasReason: true,
      });
      expect(seconds).toBeLessThan(LIMIT_SECONDS);
    });
  });
}

/** A short run leaves those out that are only found out by waiting. */
function isWanted({ behaviour }: BadUpgrade): boolean {
  return !isShortRun() || behaviour === undefined || behaviour === 'exit';
}

async function tellAgent({ machine }: EdgeNode, { behaviour }: BadUpgrade): Promise<void> {
  if (behaviour === undefined) return;
  await writeFile(machine.node.hostPath(BEHAVIOUR_PLACES[machine.target].file), behaviour);
}
