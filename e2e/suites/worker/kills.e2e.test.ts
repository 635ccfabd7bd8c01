import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unlimited } from '../../support/cloud/patience.ts';
import { killAtEveryBoundary } from '../../support/crash/kill-points.ts';
import { killScenario } from '../../support/kill-points/kill-scenario.ts';
import { isShortRun } from '../../support/reporting/short-run.ts';
import { textTable } from '../../support/reporting/text-table.ts';
import { KILLED_COMMANDS, type KilledCommand } from './kills/killed-commands.ts';
import { killedWorker } from './kills/killed-worker.ts';
import { startLinuxSite } from '../../support/worker/site/linux-site.ts';
import { STAND_IN_KUBELETS } from '../../support/worker/site/supplies.ts';
import type { WorkerSite } from '../../support/worker/site/worker-site.ts';
import { startSmallCluster } from '../../support/worker/small-cluster/small-cluster.ts';

const HOURS = 60 * 60_000;
const DAY_SECONDS = 24 * 60 * 60;
const HEAD = ['command', 'kill points tried', 'ended old', 'ended new', 'broken'];

describe('keadm kube killed, on Linux with a small cluster and a stand-in for the kubelet', () => {
  const where = isShortRun() ? 'one record' : 'every record';
  const rows: (readonly (string | number)[])[] = [];
  let site: WorkerSite;

  beforeAll(async () => {
    site = await startLinuxSite(await startSmallCluster(unlimited()), STAND_IN_KUBELETS);
    await site.setNetwork(true);
  });
  afterAll(async () => {
    process.stdout.write(`${textTable(HEAD, rows)}\n`);
    await site.stop();
  });

  test.each(commandsToKill())(`$name, killed at ${where}, ends old or new`, { timeout: HOURS }, async (command) => {
    const token = await site.cluster.makeToken({ lifeSeconds: DAY_SECONDS });
    const broken: string[] = [];
    const report = await killAtEveryBoundary(killScenario(killedWorker(command, site), { token, choose }), {
      killRecoveryAfter: [],
      onBroken: (difference) => broken.push(inspect(difference, { depth: 4 })),
      onKill: (boundary, ended) => process.stdout.write(`${command.name}: record ${boundary}, ${ended}\n`),
    });
    rows.push([command.name, report.boundaries, report.endedReverted, report.endedApplied, report.broken]);
    expect(broken).toEqual([]);
    expect(report.endedApplied + report.endedReverted).toBe(report.boundaries);
  });
});

/** The short run has no time but for the one that a guard stands by. */
function commandsToKill(): readonly KilledCommand[] {
  return isShortRun() ? KILLED_COMMANDS.filter(({ staysInService }) => staysInService) : KILLED_COMMANDS;
}

/** And kills it where most has been taken apart. */
function choose(records: number): readonly number[] {
  const all = Array.from({ length: records }, (_, index) => index + 1);
  return isShortRun() ? all.filter((record) => record === Math.ceil(records * 0.6)) : all;
}
