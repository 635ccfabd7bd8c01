import { expect, test } from 'vitest';
import { keyProblems, metadataProblems, nameProblems } from './names.ts';
import { sample } from './testing/samples.ts';

test.each([
  ['web-1', 'label', true],
  ['a.b', 'label', false],
  ['a.b', 'subdomain', true],
  ['1web', 'service', false],
  ['Web', 'subdomain', false],
  ['node:1', 'path', true],
  ['a/b', 'path', false],
  ['x'.repeat(64), 'label', false],
] as const)('the name %s as a %s is allowed: %s', (name, rule, allowed) => {
  expect(nameProblems('metadata.name', name, rule)).toHaveLength(allowed ? 0 : 1);
});

test.each([
  ['app', true],
  ['example.com/app', true],
  ['Upper_Case.1', true],
  ['/app', false],
  ['example.com/', false],
  ['bad key', false],
])('the label key %s is allowed: %s', (key, allowed) => {
  expect(keyProblems('metadata.labels', key)).toHaveLength(allowed ? 0 : 1);
});

test('every problem of an object is reported at once', () => {
  const object = sample('ConfigMap', 'Bad_Name', {}, { labels: { ok: 'not ok' }, annotations: { 'bad key': '' } });
  expect(metadataProblems(object, 'subdomain').map((problem) => problem.field)).toEqual([
    'metadata.name',
    'metadata.labels',
    'metadata.annotations',
  ]);
});
