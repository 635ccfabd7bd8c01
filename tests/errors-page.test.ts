import { readFileSync } from 'node:fs';
import { ERROR_CODES } from '@fenestra/kernel';
import { expect, test } from 'vitest';

const sections = [...readFileSync('docs/errors.md', 'utf8').matchAll(/^## `(\w+)` \(exit code (\d+)\)$/gm)];

test('docs/errors.md has one section per code, with its exit code, and none besides', () => {
  const documented = Object.fromEntries(sections.map(([, code, exitCode]) => [code, Number(exitCode)]));
  expect(documented).toEqual(ERROR_CODES);
  expect(sections).toHaveLength(Object.keys(ERROR_CODES).length);
});

test('no two codes share an exit code', () => {
  const exitCodes = Object.values(ERROR_CODES);
  expect(new Set(exitCodes).size).toBe(exitCodes.length);
});
