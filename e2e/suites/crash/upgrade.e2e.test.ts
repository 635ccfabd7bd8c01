import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { bundleProgram } from './bundle-program.ts';
import { killAtEveryBoundary, type KillScenario, type ProcessEnd } from '../../support/crash/kill-points.ts';
import { pictureOf, type Tree } from '../../support/crash/tree.ts';

const MINUTES = 60_000;
const Status = z.object({ state: z.string(), pid: z.int().optional() });
const program = await bundleProgram('upgrade');

/** A program that says that it is ready and stays; its argument shows which version it is. Or one that gives up. */
function version(name: string): string {
  if (name === 'bad') return '#!/bin/sh\nexit 3\n';
  return `#!/bin/sh\necho "ready $$" >"$FENESTRA_READINESS_FILE"\nexec sleep 1000.${name.length}\n`;
}

/** The files, and which version runs, if any. */
interface Picture {
  readonly files: Tree;
  readonly running: string;
}

function scenario(folder: string, newVersion: string): KillScenario<Picture> {
  const machine = join(folder, 'machine');
  function start(verb: string, killAfter: number | undefined, what = newVersion): ProcessEnd {
    const env = { ...process.env, FENESTRA_KILL_AFTER_RECORD: String(killAfter ?? '') };
    const argv = [program, verb, machine, join(folder, what)];
    const { signal, status, stdout, stderr } = spawnSync(process.execPath, argv, { env, encoding: 'utf8' });
    if (signal === null && status !== 0) throw new Error(`${verb} ended with ${status}: ${stderr}`);
    return { killed: signal === 'SIGKILL', output: stdout };
  }
  return {
    async prepare() {
      start('remove', undefined);
      await rm(machine, { recursive: true, force: true });
      await mkdir(join(machine, 'bin'), { recursive: true });
      for (const name of ['old', 'better', 'bad']) await writeFile(join(folder, name), version(name), { mode: 0o755 });
      start('run', undefined, 'old');
    },
    run: async (killAfter) => start('run', killAfter),
    recover: async (killAfter) => start('recover', killAfter),
    async look() {
      const { state, pid } = Status.parse(JSON.parse(start('status', undefined).output));
      const running = pid === undefined ? state : readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return { files: await pictureOf(machine, ['bookkeeping']), running };
    },
  };
}

test.each([
  ['better', 'applied', 'one of the two versions is whole and runs'],
  ['bad', 'reverted', 'the old version is back and runs'],
])('an upgrade to a %s program (%s), killed at every record: %s', { timeout: 10 * MINUTES }, async (name, outcome) => {
  const folder = await mkdtemp(join(tmpdir(), 'upgrade-'));
  const run = scenario(folder, name);
  await run.prepare();
  const { running } = await run.look();
  expect((await run.run(undefined)).output).toBe(outcome);
  expect((await run.look()).running === running).toBe(outcome === 'reverted');
  const report = await killAtEveryBoundary(run, { killRecoveryAfter: [3] });
  process.stdout.write(`upgrade to a ${name} program: ${JSON.stringify(report)}\n`);
  expect(report.boundaries).toBeGreaterThan(6);
  spawnSync(process.execPath, [program, 'remove', join(folder, 'machine')]);
  await rm(folder, { recursive: true });
});
