import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { wholeFile } from '../placed-text.ts';
import { readCloudConfig, type CloudConfigDocument } from './document.ts';

/** Documents, and what PyYAML 6.0.3 made of them: their keys, nothing, or a failure of one kind or another. */
const CASES = z
  .array(z.tuple([z.string(), z.string()]))
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures/loaded.json'), 'utf8')));

test('documents are loaded as PyYAML loads them, and fail where it fails', () => {
  expect(CASES).toHaveLength(200);
  for (const [text, result] of CASES) {
    expect({ text, result: inWords(readCloudConfig(wholeFile(text))) }).toEqual({
      text,
      result: FAILURES[result] ?? result,
    });
  }
});

/** All end in the same way: the plugin fails. */
const FAILURES: Readonly<Record<string, string>> = { error: 'unreadable', nomap: 'unreadable', nostr: 'unreadable' };

function inWords(document: CloudConfigDocument): string {
  if (document.kind !== 'keys') return document.kind;
  const keys = document.entries.map(({ key }) => key);
  return `keys:${keys.toSorted().join(',')}`;
}

test.each([
  ['#cloud-config\nruncmd:\n  - "C:\\k"\n', 3],
  ['#cloud-config\nruncmd: []\n---\n', 3],
  ['#cloud-config\nruncmd:\n\t- dir\n', 3],
  ['#cloud-config\nruncmd:\n  - %TEMP%\\x\n', 3],
  ['#cloud-config\ntimezone: {{ v1.x }}\n', 2],
  ['#cloud-config\n5: x\n', 2],
  ['#cloud-config\ntimezone: UTC\n\t\n', 3],
  ['#cloud-config\nruncmd:\n  -\tdir\n', 3],
  ['#cloud-config\nruncmd: &a [dir]\nx: &a 1\n', 3],
  ['#cloud-config\nruncmd:\n  - [set, x, =]\n', 3],
])('%j fails in line %i', (text, line) => {
  expect(readCloudConfig(wholeFile(text))).toMatchObject({ kind: 'unreadable', line });
});

test('a text of brackets is refused, and does not exhaust the stack', () => {
  expect(readCloudConfig(wholeFile(`#cloud-config\nx: ${'['.repeat(20_000)}`)).kind).toBe('unreadable');
});

test('of two keys alike the last one counts', () => {
  const document = readCloudConfig(wholeFile('#cloud-config\nruncmd: [a]\nruncmd: [b]\n'));
  expect(document).toMatchObject({ entries: [{ value: ['b'], line: 3 }], repeated: [{ value: ['a'], line: 2 }] });
});

test.each([
  ['y', 'y'],
  ['yes', true],
  ['1e3', '1e3'],
  ['1.5e+3', 1500],
  ['08', '08'],
  ['0644', 0o644],
  ['00:30', '00:30'],
  ['1:30', 90],
  ['.', '.'],
  ['2030-1-2', '2030-1-2'],
  ['"\\t"', '\t'],
])('%s is %j to PyYAML', (text, value) => {
  expect(readCloudConfig(wholeFile(`#cloud-config\nx: ${text}\n`))).toMatchObject({ entries: [{ value }] });
});

test('tabs inside of quotes, brackets and blocks do no harm', () => {
  const text = '#cloud-config\na: "x\n  \ty"\nb: [x,\n  \ty]\nc: |\n  x\n  \ty\n';
  expect(readCloudConfig(wholeFile(text))).toMatchObject({ kind: 'keys' });
});

test('a lone CR ends a line', () => {
  expect(readCloudConfig(wholeFile('#cloud-config\rtimezone: UTC\r'))).toMatchObject({
    entries: [{ key: 'timezone', value: 'UTC' }],
  });
});

test('a key of the mapping overrides a merged one, and the first of several merged mappings overrides the others', () => {
  const text = '#cloud-config\ntimezone: A\n<<: [{timezone: B, hostname: b}, {hostname: c}]\n';
  const { entries } = keysOf(text);
  expect(entries.map(({ key, value }) => [key, value])).toEqual([
    ['hostname', 'b'],
    ['timezone', 'A'],
  ]);
});

test('what Python takes for nothing is empty, and a day that is in no calendar is noticed', () => {
  for (const nothing of ['0', 'false', '[]', '""', '{}', '<<: {}'])
    expect(readCloudConfig(wholeFile(`#cloud-config\n${nothing}\n`)).kind).toBe('empty');
  expect(readCloudConfig(wholeFile('#cloud-config\nx: 2030-13-45\n'))).toMatchObject({ line: 2, noticed: true });
});

function keysOf(text: string): Extract<CloudConfigDocument, { kind: 'keys' }> {
  const document = readCloudConfig(wholeFile(text));
  if (document.kind !== 'keys') throw new Error(document.kind);
  return document;
}
