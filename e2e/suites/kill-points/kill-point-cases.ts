import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cloud, startEmbeddedCloud } from '../../support/cloud/cloud.ts';
import { type EdgeNode, prepareNode } from '../../support/cloud/edge-node.ts';
import { unlimited } from '../../support/cloud/patience.ts';
import { killAtEveryBoundary, type KillReport } from '../../support/crash/kill-points.ts';
import { isShortRun } from '../../support/reporting/short-run.ts';
import type { MachineChoice } from '../../support/machines/keadm-machine.ts';
import { testReleases } from '../../support/releases/test-releases.ts';
import { killScenario } from '../../support/kill-points/kill-scenario.ts';
import { KILLED_COMMANDS } from './killed-commands.ts';
import { killedNode } from './killed-node.ts';
import { textTable } from '../../support/reporting/text-table.ts';

const HOURS = 60 * 60_000;
const HEAD = ['command', 'system', 'kill points tried', 'ended old', 'ended new', 'broken'];

/** The one record at which a short run kills, of so many. */
type ShortChoice = (records: number) => number;

/** Where most has been taken apart. */
export const IN_THE_MIDDLE: ShortChoice = (records) => Math.ceil(records * 0.6);
/** Just before the end. */
export const AT_THE_END: ShortChoice = (records) => records - 1;

/** Kills every command of a node's life at every record of its journal, on one machine. */
export function killPointCases({ title, start }: MachineChoice, shortChoice: ShortChoice): void {
  describe(`keadm killed on ${title}`, () => {
    const where = isShortRun() ? 'one record' : 'every record';
    const rows: (readonly (string | number)[])[] = [];
    let cloud: Cloud;
    let node: EdgeNode;

    beforeAll(async () => {
      cloud = await startEmbeddedCloud();
      const machine = await start(unlimited());
      await testReleases(machine.target);
      node = await prepareNode(machine.node.name, machine, cloud);
    });
    afterAll(async () => {
      process.stdout.write(`${textTable(HEAD, rows)}\n`);
      await node.stop();
      await cloud.stop();
    });

    test.each(KILLED_COMMANDS)(`$name, killed at ${where}, ends old or new`, { timeout: HOURS }, async (command) => {
      const scenario = killScenario(killedNode(command, { cloud, node }), {
        token: await cloud.token(),
        choose: (records) => choose(records, shortChoice),
      });
      const broken: string[] = [];
      const report = await killAtEveryBoundary(scenario, {
        killRecoveryAfter: [],
        onBroken: (difference) => broken.push(inspect(difference, { depth: 4 })),
        onKill: (boundary, ended) =>
          process.stdout.write(
            `${command.name} on ${title}: record ${boundary}, ${ended}\n${ended === 'broken' ? broken.at(-1) : ''}`,
          ),
      });
      rows.push([command.name, title, ...figuresOf(report)]);
      expect(broken).toEqual([]);
      expect(report.endedApplied + report.endedReverted).toBe(report.boundaries);
    });
  });
}

function figuresOf({ boundaries, endedReverted, endedApplied, broken }: KillReport): readonly number[] {
  return [boundaries, endedReverted, endedApplied, broken];
}

function choose(records: number, shortChoice: ShortChoice): readonly number[] {
  return isShortRun() ? [shortChoice(records)] : Array.from({ length: records }, (_, index) => index + 1);
}
