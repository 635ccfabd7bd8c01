import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RECOVERY_POLICY, type ServiceSpec } from '@fenestra/platform';
import { afterAll, expect, test } from 'vitest';
import { type RunningProgram, runProgram } from './run-program.ts';
import { openServiceLog } from './service-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'fenestra-program-'));
const log = openServiceLog(join(folder, 'service.log'));
writeFileSync(join(folder, 'file'), '', { mode: 0o600 });
afterAll(() => {
  log.close();
  rmSync(folder, { recursive: true });
});

test.each([
  ['is missing', 'missing', 127],
  ['may not be run', 'file', 126],
  ['would be in a folder that is a file', 'file/program', 126],
])('a program that %s has failed at once', async (_, path, exitCode) => {
  const program = run(join(folder, path));
  program.signal('SIGTERM');
  expect(program.pid).toBeUndefined();
  expect(await program.ended).toBe(exitCode);
});

test('arguments that no program can get are a failed end too', async () => {
  expect(await run('/bin/true', ['x'.repeat(2 ** 22)]).ended).toBe(126);
  expect(await run('/bin/true', ['\0']).ended).toBe(126);
});

test('the exit code and the output of a program are kept', async () => {
  expect(await run('/bin/sh', ['-c', 'echo hello; exit 3']).ended).toBe(3);
  expect(await run('/bin/sh', ['-c', 'kill -KILL $$']).ended).toBe(137);
  expect(readFileSync(join(folder, 'service.log'), 'utf8')).toBe('hello\n');
});

function run(executable: string, args: readonly string[] = []): RunningProgram {
  const spec: ServiceSpec = {
    name: 'edgecore',
    displayName: 'Edge core',
    description: 'For tests',
    executable,
    args,
    startType: 'manual',
    dependencies: [],
    recovery: RECOVERY_POLICY,
    writableFolders: [],
  };
  return runProgram(spec, join(folder, 'readiness'), log);
}
