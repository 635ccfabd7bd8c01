import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type KeadmMachine, MACHINES } from '../../support/machines/keadm-machine.ts';
import { isShortRun } from '../../support/reporting/short-run.ts';
import { killAtEveryBoundary, type KillScenario, type ProcessEnd } from '../../support/crash/kill-points.ts';
import { pictureOf } from '../../support/crash/tree.ts';

const MINUTES = 60_000;
const UNDISTURBED = '';
/** The first and the last records of either command, and some between. */
const A_FEW_RECORDS: readonly number[] = [1, 4, 6, 8, 12, 13];

const Service = z.object({ state: z.string(), startType: z.string().optional() });
const DryRun = z.object({ plan: z.array(z.object({ id: z.string() })) });

/** All that installing or removing the agent may change, but for what is different at every start. */
interface AgentPicture {
  readonly trees: readonly unknown[];
  readonly service: unknown;
  /** What a new install would still have to do. */
  readonly missing: readonly string[];
}

async function look({ node, paths, keadm }: KeadmMachine): Promise<AgentPicture> {
  const places = [paths.configFolder, paths.stateFolder, paths.programFolder];
  const trees = places.map(async (path) => pictureOf(node.hostPath(path), ['agent-status.json']).catch(() => 'absent'));
  const { stdout } = await keadm(['service', 'status', '--output', 'json']);
  const dryRun = await keadm(['service', 'install', '--dry-run', '--output', 'json']);
  const missing = DryRun.parse(JSON.parse(dryRun.stdout)).plan.map(({ id }) => id);
  return { trees: await Promise.all(trees), service: Service.parse(JSON.parse(stdout)), missing };
}

function scenario(machine: KeadmMachine, verb: 'install' | 'remove'): KillScenario<AgentPicture> {
  async function keadm(args: readonly string[], killAfter: number | undefined): Promise<ProcessEnd> {
    const env = { FENESTRA_KILL_AFTER_RECORD: killAfter === undefined ? UNDISTURBED : String(killAfter) };
    const { exitCode, stderr } = await machine.keadm(args, env);
    if (exitCode !== 0 && exitCode !== machine.killedExitCode)
      throw new Error(`keadm ended with ${exitCode}: ${stderr}`);
    return { killed: exitCode !== 0, output: stderr };
  }
  return {
    async prepare() {
      await keadm(['service', verb === 'install' ? 'remove' : 'install'], undefined);
      if (verb === 'remove') return;
      const { configFolder, stateFolder } = machine.paths;
      for (const folder of [configFolder, stateFolder]) {
        await rm(machine.node.hostPath(folder), { recursive: true, force: true });
      }
    },
    run: async (killAfter) => keadm(['service', verb], killAfter),
    recover: async (killAfter) => keadm(['recover'], killAfter),
    look: async () => look(machine),
    ...(isShortRun() ? { choose: async () => A_FEW_RECORDS } : {}),
  };
}

describe.each(MACHINES)('keadm killed on $title', ({ start }) => {
  let machine: KeadmMachine;

  beforeAll(async () => {
    machine = await start(new AbortController().signal);
  });
  afterAll(async () => machine.node.stop());

  test.each(['install', 'remove'] as const)(
    'service %s, at every record, leaves the machine as it was or as it should be',
    { timeout: 10 * MINUTES },
    async (verb) => {
      const report = await killAtEveryBoundary(scenario(machine, verb), { killRecoveryAfter: [] });
      process.stdout.write(`service ${verb} on ${machine.title}: ${JSON.stringify(report)}\n`);
      expect(report.endedApplied).toBeGreaterThan(0);
      expect(report.endedReverted).toBeGreaterThan(0);
      expect(report.endedApplied + report.endedReverted).toBe(report.boundaries);
    },
  );
});
