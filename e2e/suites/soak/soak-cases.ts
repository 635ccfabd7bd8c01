import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cloud, startEmbeddedCloud } from '../../support/cloud/cloud.ts';
import { type EdgeNode, prepareNode } from '../../support/cloud/edge-node.ts';
import { unlimited } from '../../support/cloud/patience.ts';
import { join } from '../../support/lifecycle/administrator.ts';
import { succeeded } from '../../support/lifecycle/answer.ts';
import { soakRound } from '../../support/lifecycle/soak-round.ts';
import type { MachineChoice } from '../../support/machines/keadm-machine.ts';
import { testReleases } from '../../support/releases/test-releases.ts';
import { textTable } from '../../support/reporting/text-table.ts';
import { type NodeResources, resourcesOf } from './node-resources.ts';

const DEFAULT_SECONDS = 600;
const DISTURBANCES = 10;
/** What an agent may hold more than when it was fresh: caches that fill, a log file that is open. */
const MORE_MEMORY_MEGABYTES = 20;
const MORE_HANDLES = 3;
const HEAD = ['round', 'seconds', 'memory MB, fresh', 'disturbed', 'handles, fresh', 'disturbed', 'files'];

interface Round {
  readonly seconds: number;
  readonly fresh: NodeResources;
  readonly disturbed: NodeResources;
}

/** Rounds of a node's life, for as long as `FENESTRA_SOAK_SECONDS` says, with a count of what is left behind. */
export function soakCases({ title, start }: MachineChoice): void {
  describe(`soak on ${title}`, () => {
    let cloud: Cloud;
    let node: EdgeNode;

    beforeAll(async () => {
      cloud = await startEmbeddedCloud();
      const machine = await start(unlimited());
      await testReleases(machine.target);
      node = await prepareNode(machine.node.name, machine, cloud);
      succeeded(await join({ cloud, node }));
    });
    afterAll(async () => {
      await node.stop();
      await cloud.stop();
    });

    test('nothing is left behind, however many rounds', { timeout: 0 }, async () => {
      const rounds = await soak(node, Number(process.env['FENESTRA_SOAK_SECONDS'] ?? DEFAULT_SECONDS));
      process.stdout.write(`soak on ${title}\n${textTable(HEAD, rounds.map(rowOf))}\n`);
      for (const { fresh, disturbed } of rounds) {
        expect(disturbed.memoryMegabytes - fresh.memoryMegabytes).toBeLessThanOrEqual(MORE_MEMORY_MEGABYTES);
        expect(disturbed.handles - fresh.handles).toBeLessThanOrEqual(MORE_HANDLES);
      }
      // The first round makes the backups of both versions.
      expect(new Set(rounds.slice(1).map(({ disturbed }) => disturbed.files)).size).toBeLessThanOrEqual(1);
    });
  });
}

async function soak(node: EdgeNode, seconds: number): Promise<readonly Round[]> {
  const end = performance.now() + seconds * 1000;
  const rounds: Round[] = [];
  while (performance.now() < end) rounds.push(await measuredRound(node, rounds.length + 1));
  return rounds;
}

async function measuredRound(node: EdgeNode, round: number): Promise<Round> {
  const began = performance.now();
  const seen: NodeResources[] = [];
  const look = async (): Promise<void> => void seen.push(await resourcesOf(node));
  await soakRound(node, { round, disturbances: DISTURBANCES, look });
  const [fresh, disturbed] = seen;
  if (fresh === undefined || disturbed === undefined) throw new Error('A round was not looked at');
  return { seconds: Math.round((performance.now() - began) / 1000), fresh, disturbed };
}

function rowOf({ seconds, fresh, disturbed }: Round, index: number): readonly number[] {
  const memory = [fresh.memoryMegabytes, disturbed.memoryMegabytes];
  return [index + 1, seconds, ...memory, fresh.handles, disturbed.handles, disturbed.files];
}
