import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SUITES, suiteNamed, suiteStep, withSuiteTable } from '../scripts/suites.ts';

const PAGE = readFileSync('e2e/README.md', 'utf8');

test('every folder with whole-system tests is a suite', () => {
  const folders = globSync('e2e/**/*.e2e.test.ts').map((file) => file.split('/').slice(0, 3).join('/'));
  expect(new Set(folders)).toEqual(new Set(SUITES.map(({ name }) => `e2e/suites/${name}`)));
});

test('the table of suites says what the settings say: otherwise run "node scripts/reference.ts"', () => {
  expect(withSuiteTable(PAGE)).toBe(PAGE);
});

test('a suite runs its files one after the other when they need the memory of the machine', () => {
  const batch = suiteNamed('batch');
  expect(suiteStep(batch, true).args).toContain('--fileParallelism');
  expect(suiteStep(batch, false).args).not.toContain('--fileParallelism');
});
