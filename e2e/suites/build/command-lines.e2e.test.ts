import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { answerProblem } from '@fenestra/keadm/testing/answer-problem';
import { commandLines } from '@fenestra/keadm/testing/command-lines';
import { environmentInMemory } from '@fenestra/keadm/testing/keadm-in-memory';
import { CHECKOUT } from '../../support/beds/checkout.ts';

const KEADM = join(CHECKOUT, 'dist', 'linux-x64', 'keadm');
const LINES = 60;
const SEED = 18;

const folder = mkdtempSync(join(tmpdir(), 'command-lines-'));
const file = join(folder, 'broken.yaml');
writeFileSync(file, 'a: [b\n');
afterAll(() => rmSync(folder, { recursive: true }));

test('the built executable answers no command line with a stack trace, broken JSON or a code outside the catalogue', async () => {
  const lines = await commandLines(environmentInMemory({ out: () => {}, err: () => {} }), { folder, paths: [file] });
  const safe = lines.filter((args) => args.includes('--root') && args.every((word) => !word.includes('\0')));
  const problems = fc.sample(safe, { numRuns: LINES, seed: SEED }).map((args) => {
    const { status, stdout, stderr } = spawnSync(KEADM, args, { cwd: folder, encoding: 'utf8', input: '' });
    return answerProblem(args, { exitCode: status ?? -1, out: stdout, err: stderr });
  });
  expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
});
