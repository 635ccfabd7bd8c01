/**
 * `npm start`: builds the executable for this machine, examines the machine, and runs a node agent as a service in a
 * folder of its own, without root, until Ctrl-C. With `--check` it proves each point and goes down by itself.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { arch, tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { makeExecutable } from '../build/make-executable.ts';
import { TARGETS } from '../build/targets.ts';

const checking = process.argv.includes('--check');
const target = TARGETS.find(({ name }) => name === `linux-${arch()}`);
if (target === undefined) throw new Error(`There is no executable for Linux on ${arch()}`);

console.log('Building the executable');
const keadm = await makeExecutable(target);
const root = mkdtempSync(join(tmpdir(), 'fenestra-demo-'));

function run(...args: readonly string[]): { exitCode: number; output: string } {
  console.log(`\n$ keadm ${args.join(' ')}`);
  const { status, stdout } = spawnSync(keadm, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  process.stdout.write(stdout);
  return { exitCode: status ?? -1, output: stdout };
}

try {
  const doctor = run('doctor', '--root', root);
  const install = run('service', 'install', '--root', root);
  const reload = run('service', 'reload', '--root', root);
  const status = run('service', 'status', '--root', root);
  if (checking) {
    assert.match(doctor.output, /\d+ checks: \d+ failed/);
    assert.equal(install.exitCode, 0);
    assert.equal(reload.exitCode, 0);
    assert.match(status.output, /edgecore is running/);
  } else {
    console.log(`\nThe agent runs below "${root}". Press Ctrl-C to take it down.`);
    const alive = setInterval(() => {}, 60_000);
    await once(process, 'SIGINT');
    clearInterval(alive);
  }
} finally {
  const remove = run('service', 'remove', '--root', root);
  rmSync(root, { recursive: true, force: true });
  if (checking) assert.equal(remove.exitCode, 0);
}
console.log('\nThe demo came up, did its work and went down.');
