import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test, vi } from 'vitest';
import { PROGRAM_MAIN } from '../testing/programs.ts';
import { NOTHING_TO_RUN } from './posix-program-host.ts';
import { READINESS_VARIABLE, readReadiness } from './readiness.ts';

const folder = mkdtempSync(join(tmpdir(), 'fenestra-program-host-'));
const readiness = join(folder, 'readiness');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the process becomes the program: same number, its own words alone, the usual umask, its exit code', async () => {
  const child = host('/bin/sh', '-c', 'echo "$$ $(umask) $1"; exit 7', 'sh', 'a b');
  const [output, errors, [exitCode]] = await ended(child);
  expect({ output, errors, exitCode }).toEqual({ output: `${child.pid} 0022 a b\n`, errors: '', exitCode: 7 });
});

test("the program gets its unit's environment, except what loads code, reveals keys or is keadm's secret", async () => {
  const passed = { AWS_REGION: 'eu', AZURE_A: 'a', GOOGLE_A: 'a', KUBE_A: 'a', OTHER: 'o', NOTIFY_SOCKET: '/run/n' };
  const withheld = { NODE_A: 'x', LD_A: 'x', OPENSSL_CONF: '/dev/null', SSLKEYLOGFILE: '/dev/null', KEADM_TOKEN: 'x' };
  const child = spawn(process.execPath, [PROGRAM_MAIN, '/usr/bin/env'], {
    env: { ...passed, ...withheld, [READINESS_VARIABLE]: readiness },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output] = await ended(child);
  const expected = Object.entries({ ...passed, [READINESS_VARIABLE]: readiness });
  expect(output.trim().split('\n').toSorted()).toEqual(expected.map((pair) => pair.join('=')).toSorted());
});

test('it is ready from the moment it is the program, and a signal reaches the program itself', async () => {
  const child = host('/bin/sleep', '60');
  await vi.waitFor(async () => expect(await readReadiness(readiness, child.pid ?? 0)).toBe('ready'), {
    timeout: 4_000,
  });
  child.kill('SIGTERM');
  await once(child, 'close');
  expect(child.signalCode).toBe('SIGTERM');
});

test('a program that is not there is an error, and never ready', async () => {
  const child = host(join(folder, 'missing'));
  const [, errors, [exitCode]] = await ended(child);
  expect(exitCode).not.toBe(0);
  expect(errors).toContain('Cannot run');
  expect(await readReadiness(readiness, child.pid ?? 0)).toBe('starting');
});

test('nothing to run is an end that can be distinguished from every end of a program', async () => {
  const [output, errors, [exitCode]] = await ended(host());
  expect({ output, errors, exitCode }).toEqual({ output: '', errors: '', exitCode: NOTHING_TO_RUN });
});

type Hosted = ChildProcess & { readonly stdout: NodeJS.ReadableStream; readonly stderr: NodeJS.ReadableStream };

function host(...command: readonly string[]): Hosted {
  const env = { ...process.env, [READINESS_VARIABLE]: readiness };
  return spawn(process.execPath, [PROGRAM_MAIN, ...command], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function ended(child: Hosted): Promise<[string, string, unknown[]]> {
  return Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
}
