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
