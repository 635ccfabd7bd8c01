import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundleProgram } from './bundle-program.ts';
import { killAtEveryBoundary, type KillScenario, type ProcessEnd } from '../../support/crash/kill-points.ts';
import { pictureOf, type Tree } from '../../support/crash/tree.ts';

const program = await bundleProgram('ten-steps');
const MINUTES = 60_000;

function scenario(folder: string, plan: string): KillScenario<Tree> {
  function start(verb: 'run' | 'recover', killAfter: number | undefined): ProcessEnd {
    const env = { ...process.env, FENESTRA_KILL_AFTER_RECORD: String(killAfter ?? '') };
    const { signal, status, stderr } = spawnSync(process.execPath, [program, verb, folder, plan], {
      env,
      encoding: 'utf8',
    });
    if (signal === null && status !== 0) throw new Error(`${verb} ended with ${status}: ${stderr}`);
    return { killed: signal === 'SIGKILL', output: stderr };
  }
  return {
    prepare: async () => layOut(folder),
    run: async (killAfter) => start('run', killAfter),
    recover: async (killAfter) => start('recover', killAfter),
    look: async () => pictureOf(folder, ['bookkeeping']),
  };
}

async function layOut(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (const name of ['etc', 'bin']) await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, 'etc/config'), 'original');
  await writeFile(join(folder, 'etc/obsolete'), 'obsolete');
  await writeFile(join(folder, 'bin/agent'), 'the old agent');
  await chmod(join(folder, 'bin/agent'), 0o755);
  await writeFile(join(folder, 'bin/other'), 'the new agent'.repeat(10_000));
}

test.each([
  ['turns-back', 'reverted until its last step is done'],
  ['goes-forward', 'finished once the point of no return is passed'],
  ['fails-last', 'reverted wherever the revert itself is cut off'],
])('a plan of ten steps that %s is %s', { timeout: 5 * MINUTES }, async (plan) => {
  const folder = await mkdtemp(join(tmpdir(), 'ten-steps-'));
  const report = await killAtEveryBoundary(scenario(join(folder, 'machine'), plan), {
    killRecoveryAfter: [2, 13, 21],
  });
  process.stdout.write(`${plan}: ${JSON.stringify(report)}\n`);
  await rm(folder, { recursive: true });
  expect(report.boundaries).toBeGreaterThanOrEqual(22);
  expect(report.endedApplied + report.endedReverted).toBe(report.boundaries);
  if (plan === 'fails-last') expect(report.endedApplied).toBe(0);
  else expect(report.endedApplied).toBeGreaterThan(0);
  if (plan === 'goes-forward') expect(report.endedReverted).toBe(1);
});
