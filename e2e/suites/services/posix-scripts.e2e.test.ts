import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scriptsContract } from '@fenestra/platform/contract';
import { afterAll, expect, test } from 'vitest';
import { testContract } from '@fenestra/platform-linux/testing/contract-tests';
import { posixScripts } from '@fenestra/platform-linux';

const CASE_MS = 20_000;
const folder = mkdtempSync(join(tmpdir(), 'fenestra-scripts-'));
const scripts = posixScripts();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

testContract(scriptsContract({ scripts, folder, writeScript }), CASE_MS);

test('a script that may not be executed is run by the shell its first line names', async () => {
  const path = join(folder, 'plain');
  await writeFile(path, '#!/usr/bin/env bash\necho "${BASH_VERSION:+bash} $1"', { mode: 0o600 });
  expect(await run(path)).toMatchObject({ exitCode: 0, output: 'bash x\n' });
  await writeFile(path, 'echo "${BASH_VERSION:+bash} $1"');
  expect((await run(path)).exitCode).toBe(0);
});

test('what goes to both streams is kept in its order', async () => {
  const path = join(folder, 'both');
  await writeFile(path, 'for i in 1 2 3; do echo "out $i"; echo "err $i" >&2; done');
  expect((await run(path)).output).toBe('out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n');
});

test('a script whose interpreter is missing fails as in a shell', async () => {
  const path = join(folder, 'odd');
  await writeFile(path, '#!/no/such/interpreter\n');
  chmodSync(path, 0o700);
  expect((await run(path)).exitCode).toBe(127);
});

async function run(path: string) {
  return scripts.run({ path, args: ['x'], env: {}, limitMs: CASE_MS }, AbortSignal.timeout(CASE_MS));
}

async function writeScript(inside: string, programFile: string): Promise<string> {
  const path = join(inside, 'script');
  await writeFile(path, `#!/bin/sh\nexec '${process.execPath}' '${programFile}' "$@"\n`, { mode: 0o700 });
  return path;
}
