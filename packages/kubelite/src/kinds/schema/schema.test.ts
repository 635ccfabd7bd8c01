import { expect, test } from 'vitest';
import { builtInDefinitions } from '../built-in-definitions.ts';
import { listMergeOf, reference, type Schema, withSchemaDefaults } from './schema.ts';
import { findTypeMismatch, pruneUnknown } from './check.ts';
import { readTypeTables } from './type-table.ts';

const DEFINITIONS = builtInDefinitions();
const POD = reference('io.k8s.api.core.v1.Pod');

function mismatch(pod: object): string | undefined {
  return findTypeMismatch(JSON.parse(JSON.stringify(pod)), POD, DEFINITIONS, 'Pod');
}

test('a type table reads fields, required ones, lists, maps and references', () => {
  const tables = [
    { prefix: 'a', text: '\nInner: x! int64\nOuter: list Inner[name+port], set string[*],\n  map map<Inner>\n' },
  ];
  expect(readTypeTables(tables).get('a.Outer')).toEqual({
    type: 'object',
    properties: {
      list: {
        type: 'array',
        items: { $ref: '#/definitions/a.Inner' },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name', 'port'],
        'x-kubernetes-patch-strategy': 'merge',
        'x-kubernetes-patch-merge-key': 'name',
      },
      set: {
        type: 'array',
        items: { type: 'string' },
        'x-kubernetes-list-type': 'set',
        'x-kubernetes-patch-strategy': 'merge',
      },
      map: { type: 'object', additionalProperties: { $ref: '#/definitions/a.Inner' } },
    },
  });
});

test('a type table that names an unknown type is a bug', () => {
  expect(() => readTypeTables([{ prefix: 'a', text: 'Outer: x Nothing' }])).toThrow('Nothing');
});

test('every reference between the built-in types leads somewhere', () => {
  const text = JSON.stringify([...DEFINITIONS.values()]);
  const names = [...text.matchAll(/"#\/definitions\/([^"]+)"/g)].map(([, name = '']) => name);
  expect(names.filter((name) => !DEFINITIONS.has(name))).toEqual([]);
});

test('unknown fields are dropped and reported with their paths', () => {
  const pod = { kind: 'Pod', spec: { containers: [{ name: 'a', prots: [] }], nodeSelector: { any: 'key' } }, extra: 1 };
  expect(pruneUnknown(pod, POD, DEFINITIONS)).toEqual({
    value: { kind: 'Pod', spec: { containers: [{ name: 'a' }], nodeSelector: { any: 'key' } } },
    unknown: ['spec.containers[0].prots', 'extra'],
  });
});

test('fields are kept below x-kubernetes-preserve-unknown-fields', () => {
  const schema: Schema = {
    type: 'object',
    properties: { free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  };
  const value = { free: { any: { thing: [1] } }, other: 1 };
  expect(pruneUnknown(value, schema, new Map()).value).toEqual({ free: { any: { thing: [1] } } });
});

test('the first value of a wrong type is reported with its field', () => {
  expect(mismatch({ spec: { containers: 'none' } })).toContain(
    'cannot unmarshal string into Go struct field Pod.spec.containers',
  );
  for (const priority of [1.5, 2 ** 31, -(2 ** 31) - 1])
    expect(mismatch({ spec: { priority } })).toContain('Pod.spec.priority');
  expect(mismatch({ spec: { terminationGracePeriodSeconds: 2 ** 53 } })).toContain('terminationGracePeriodSeconds');
  expect(
    mismatch({ spec: { containers: [{ livenessProbe: { httpGet: { port: 'http' } } }], hostNetwork: true } }),
  ).toBeUndefined();
  expect(mismatch({ metadata: { creationTimestamp: null } })).toBeUndefined();
});

test('schema defaults fill what is missing, inside lists and maps too', () => {
  const inner: Schema = {
    type: 'object',
    properties: { size: { type: 'integer', default: 1 }, maybe: { nullable: true, default: 2 } },
  };
  const schema: Schema = {
    type: 'object',
    properties: { one: { ...inner, default: {} }, list: { type: 'array', items: inner } },
    additionalProperties: inner,
  };
  expect(withSchemaDefaults({ list: [{ maybe: null }], other: { size: null } }, schema)).toEqual({
    one: { size: 1, maybe: 2 },
    list: [{ size: 1, maybe: null }],
    other: { size: 1, maybe: 2 },
  });
});

test.each([
  [['spec', 'containers'], { type: 'map', keys: ['name'] }],
  [['spec', 'containers', 'ports'], { type: 'map', keys: ['containerPort', 'protocol'] }],
  [['metadata', 'finalizers'], { type: 'set' }],
  [['spec', 'tolerations'], undefined],
  [['spec', 'nothing', 'here'], undefined],
])('the list at %j is merged by %j', (path, rule) => {
  expect(listMergeOf(POD, DEFINITIONS, path)).toEqual(rule);
});
