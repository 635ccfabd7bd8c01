import { expect, test } from 'vitest';
import type { JsonObject } from '../objects/json.ts';
import { pruneUnknown } from '../kinds/schema/check.ts';
import { compileSchema } from './schema-validator.ts';
import { processorMs } from '../../../../tests/processor-time.ts';
import { sample } from '../kinds/testing/samples.ts';
import { customKinds } from './custom-kind.ts';
import { definitionProblems } from './definition-problems.ts';

const many = <T>(count: number, item: (n: number) => T) => Array.from({ length: count }, (_, n) => item(n));
const list = (items: JsonObject): JsonObject => ({ type: 'object', properties: { list: { type: 'array', items } } });
const text = (pattern: string): JsonObject => ({ type: 'object', properties: { a: { type: 'string', pattern } } });

test.each(['^(a+)+$', '^(a|aa)+$', '^(a|a)*$', '(x+x+)+y', String.raw`^(\w+\s?)*$`])(
  'a pattern that would backtrack takes linear time: %s',
  (pattern) => {
    const checked = compileSchema(text(pattern));
    expect(checked.problems({ a: `${'a'.repeat(100_000)}!` })).toHaveLength(1);
  },
);

test('patterns are those of Kubernetes: no look-around, no giant repetitions', () => {
  expect(() => compileSchema(text('^(?=a)'))).toThrow(/invalid/);
  expect(() => compileSchema(text('(a{1000}){1000}'))).toThrow(/invalid repeat count/);
  expect(compileSchema(text(String.raw`^\p{Greek}+$`)).problems({ a: 'αβγ' })).toEqual([]);
  const two = { type: 'object', properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' } } };
  expect(compileSchema(two).problems({ a: 'a', b: 'b' })).toEqual([]);
});

test('an object that is too large for the patterns of its schema is refused', () => {
  const checked = compileSchema(text('(a?){1000}(a){1000}b'));
  expect(checked.problems({ a: 'a'.repeat(1_000_000) })).toMatchObject([{ reason: 'FieldValueTooLong' }]);
});

test('a large schema and a large object do not multiply', () => {
  const required = many(20_000, (n) => `f${n}`);
  const checked = compileSchema(list({ type: 'object', required }));
  expect(checked.problems({ list: many(100_000, () => ({})) })).toMatchObject([{ reason: 'FieldValueTooLong' }]);
  const branches = many(1_000, () => ({ properties: { x: { type: 'integer' } } }));
  const slow = compileSchema(list({ type: 'object', allOf: branches }));
  expect(slow.problems({ list: many(100_000, () => ({})) })).toMatchObject([{ reason: 'FieldValueTooLong' }]);
});

test('an object with very many problems is answered with few and short ones', () => {
  const long = many(1_000, (n) => `value-${n}-${'x'.repeat(1_000)}`);
  const checked = compileSchema(list({ type: 'string', enum: long }));
  const problems = checked.problems({ list: many(1_000, () => 'y'.repeat(2_000)) });
  expect(problems).toHaveLength(50);
  expect(JSON.stringify(problems).length).toBeLessThan(10_000_000);
});

test('a schema that refers to itself, or has too many parts, is refused', () => {
  expect(() => compileSchema({ type: 'object', properties: { a: { $ref: '#' } } })).toThrow(/forbidden/);
  expect(() => compileSchema({ type: 'object', uniqueItems: true })).toThrow(/forbidden/);
  const properties = Object.fromEntries(many(30_000, (n) => [`f${n}`, { type: 'string' }]));
  expect(() => compileSchema({ type: 'object', properties })).toThrow(/more than 20000/);
});

test('very many unknown fields below a long name are reported briefly', () => {
  const unknown = Object.fromEntries(many(100_000, (n) => [`f${n}`, 1]));
  const schema = { type: 'object', additionalProperties: { type: 'object', properties: {} } };
  const pruned = pruneUnknown({ ['n'.repeat(100_000)]: unknown }, schema, new Map());
  expect(pruned.unknown.join('').length).toBeLessThanOrEqual(100_000);
});

const versionsOf = (schemas: readonly JsonObject[]) =>
  sample('CustomResourceDefinition', 'widgets.example.com', {
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      conversion: { strategy: 'None' },
      versions: schemas.map((schema, n) => ({
        name: `v${n}`,
        served: true,
        storage: n === 0,
        schema: { openAPIV3Schema: schema },
      })),
    },
  });
const wide = (count: number): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(many(count, (n) => [`f${n}`, { type: 'string' }])),
});
const patterned = (count: number, prefix: string): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(many(count, (n) => [`f${n}`, { type: 'string', pattern: `${prefix}${n}` }])),
});

test.each([
  ['schemas', wide(9_999), wide(10_001), /more than 20000 schemas/],
  ['patterns', patterned(500, 'abc'), patterned(750, 'def'), /patterns .* more than 15000/],
])('all versions of a definition share one limit of %s', (_what, first, second, message) => {
  expect(definitionProblems(versionsOf([first]))).toEqual([]);
  expect(definitionProblems(versionsOf([second]))).toEqual([]);
  const refused = { field: 'spec.versions[1].schema.openAPIV3Schema', message: expect.stringMatching(message) };
  expect(definitionProblems(versionsOf([first, second]))).toMatchObject([refused]);
  // A version that is stored counts, and is not the one to blame.
  const added = definitionProblems(versionsOf([first, second]), versionsOf([wide(1), second]));
  expect(added).toMatchObject([{ field: 'spec.versions[0].schema.openAPIV3Schema' }]);
});

test('a large definition is checked, served and used in little time', () => {
  const definition = versionsOf([wide(6_000), wide(6_001), wide(6_002)]);
  const begun = processorMs();
  expect(definitionProblems(definition)).toEqual([]);
  for (const kind of customKinds(definition)) expect(kind.validate?.(sample('Widget', 'w', { f0: 1 }))).toHaveLength(1);
  expect(processorMs() - begun).toBeLessThan(300);
});

test('rules below a long name do not multiply it', () => {
  const ruled = { type: 'object', 'x-kubernetes-validations': [{ rule: 'true' }] };
  const properties = {
    ['n'.repeat(1_000_000)]: { type: 'object', properties: Object.fromEntries(many(5_000, (n) => [`f${n}`, ruled])) },
  };
  const [kind] = customKinds(versionsOf([{ type: 'object', properties }]));
  expect(kind?.warnings?.(sample('Widget', 'w')).join('').length).toBeLessThan(2_000);
});
