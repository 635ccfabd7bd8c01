import { expect, test } from 'vitest';
import { readOutcome } from './contract-outcome.ts';

const PASSED = { suite: 'host', name: 'facts', result: 'passed', ms: 3 };
const DONE = { done: true, counts: { passed: 1, failed: 0, skipped: 0 } };

test('a run with cases and a last line is whole', () => {
  expect(readOutcome(said([PASSED, DONE]))).toEqual({ cases: [PASSED], broken: undefined });
});

test('a run without its last line is broken, and keeps the cases it had', () => {
  const { cases, broken } = readOutcome({ ...said([PASSED]), exitCode: 134, stderr: 'abort' });
  expect(cases).toEqual([PASSED]);
  expect(broken).toBe('the runner ended early\nthe runner ended with exit code 134\nabort');
});

test('a run without cases is broken', () => {
  expect(readOutcome(said([DONE])).broken).toContain('there was not a single case');
});

test('a line that is not a report is shown, not ignored', () => {
  const { broken } = readOutcome({ ...said([PASSED, DONE]), stdout: `${said([PASSED, DONE]).stdout}oops\n` });
  expect(broken).toContain('it printed: oops');
});

function said(reports: readonly unknown[]): { exitCode: number; stdout: string; stderr: string } {
  return { exitCode: 0, stdout: reports.map((report) => `${JSON.stringify(report)}\n`).join(''), stderr: '' };
}
