import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { environmentInMemory } from '../testing/keadm-in-memory.ts';
import { CHECKING_COMMANDS, checksReferenceFiles, cliReferenceFiles } from './reference.ts';
import { buildProgram } from './program.ts';

const FOLDER = join(import.meta.dirname, '../../../../docs/reference');
const environment = environmentInMemory({ out: () => {}, err: () => {} });
const program = await buildProgram([], environment, { deliver: () => {}, writeHelp: () => {} });

test.each([...cliReferenceFiles(program), ...checksReferenceFiles()])(
  'docs/reference/%s is what "node scripts/reference.ts" writes',
  (name, text) => {
    expect(readFileSync(join(FOLDER, name), 'utf8')).toBe(text);
  },
);

test('the page has commands, flags with defaults, and examples, and no hidden command', () => {
  const page = cliReferenceFiles(program).get('cli.md') ?? '';
  expect(page).toContain('## keadm kube join\n');
  expect(page).toContain('| `--drain-limit <duration>` |');
  expect(page).toContain('(default: 5m)');
  expect(page).not.toContain('far-end');
});

test('a check has one name and one meaning in every command', () => {
  const checks = [...CHECKING_COMMANDS.values()].flat();
  const meanings = new Map(checks.map(({ name, about }) => [name, about]));
  expect(checks.filter(({ name, about }) => meanings.get(name) !== about)).toEqual([]);
  expect(new Set(meanings.values()).size).toBe(meanings.size);
});
