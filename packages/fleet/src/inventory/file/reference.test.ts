import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isMapping } from '@fenestra/contracts/reading';
import { BATCH_MEANINGS, batchFileReferenceFiles } from './reference.ts';
import { readBatchFile } from './read-batch-file.ts';

const DOCS = join(import.meta.dirname, '../../../../../docs');
const PAGE = readFileSync(join(DOCS, 'operate/batch-file.md'), 'utf8');
const SCHEMA: unknown = JSON.parse(batchFileReferenceFiles().get('batch.schema.json') ?? '');

test.each([...batchFileReferenceFiles()])(
  'docs/reference/%s is what "node scripts/reference.ts" writes',
  (name, text) => {
    expect(readFileSync(join(DOCS, 'reference', name), 'utf8')).toBe(text);
  },
);

test('every key has a meaning, and every meaning has a key', () => {
  const keys = [...keysOf(SCHEMA)];
  expect(keys.filter(([, description]) => description === undefined)).toEqual([]);
  const described = new Set(keys.map(([, description]) => description));
  const elsewhere = Object.entries(BATCH_MEANINGS).filter(
    ([path, meaning]) => !/(\[\]|\*)$/.test(path) && !described.has(meaning),
  );
  expect(elsewhere).toEqual([]);
});

test('every key is explained in docs/operate/batch-file.md', () => {
  const names = new Set([...keysOf(SCHEMA)].map(([name]) => name));
  expect([...names].filter((name) => !new RegExp(`\`([\\w[\\].]*\\.)?${name}[\`:.]`).test(PAGE))).toEqual([]);
});

test('what docs/operate/batch-file.md shows of files is right', () => {
  const shown = [...PAGE.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = '']) => text);
  expect(shown.length).toBeGreaterThan(3);
  expect(shown.flatMap((text) => readBatchFile(text, 'batch.yaml').problems)).toEqual([]);
});

function* keysOf(node: unknown): Generator<readonly [string, unknown]> {
  if (Array.isArray(node)) for (const part of node) yield* keysOf(part);
  if (!isMapping(node)) return;
  for (const [key, value] of Object.entries(isMapping(node['properties']) ? node['properties'] : {})) {
    yield [key, isMapping(value) ? value['description'] : undefined] as const;
    yield* keysOf(value);
  }
  for (const key of ['items', 'anyOf', 'additionalProperties']) yield* keysOf(node[key]);
}
