import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtInDefinitions } from '../kinds/built-in-definitions.ts';
import { openRealObjects, type RealObjects } from '../kinds/testing/real-objects.ts';
import { objectsAt, stringAt } from '../objects/json.ts';
import { createKindRegistry, type KindRegistry } from '../objects/gatekeeper.ts';
import { allDefinitions, definitionName } from './definitions.ts';
import { groupList, oneGroup, resourceList } from './groups.ts';
import { encodeOpenApiV2, openApiV2 } from './openapi-v2.ts';
import { openApiV3 } from './openapi-v3.ts';

let real: RealObjects;
let registry: KindRegistry;

beforeAll(async () => {
  real = await openRealObjects();
  registry = createKindRegistry();
  for (const kind of Object.values(real.kinds)) registry.add(kind);
});
afterAll(async () => real.close());

test('groups are listed once, and each version has resources: kubectl reports an empty one as an error', () => {
  const groups = objectsAt(groupList(registry.all()), 'groups');
  const names = groups.map((group) => stringAt(group, 'name'));
  expect(new Set(names).size).toBe(names.length);
  expect(names).toContain('certificates.k8s.io');
  expect(oneGroup(registry.all(), 'policy')).toBeUndefined();
  for (const group of groups) {
    for (const version of objectsAt(group, 'versions')) {
      const list = resourceList(registry.all(), stringAt(group, 'name'), stringAt(version, 'version'));
      expect(objectsAt(list, 'resources')).not.toEqual([]);
    }
  }
  expect(oneGroup(registry.all(), 'apps')).toBeUndefined();
});

test('resources are listed with their short names, verbs and subresources', () => {
  expect(resourceList(registry.all(), '', 'v1')).toMatchObject({
    groupVersion: 'v1',
    resources: expect.arrayContaining([
      expect.objectContaining({ name: 'pods', singularName: 'pod', shortNames: ['po'], namespaced: true }),
      expect.objectContaining({ name: 'pods/status', verbs: ['get', 'patch', 'update'] }),
      expect.objectContaining({ name: 'pods/eviction', group: 'policy', version: 'v1', kind: 'Eviction' }),
      expect.objectContaining({ name: 'serviceaccounts/token', group: 'authentication.k8s.io', kind: 'TokenRequest' }),
    ]),
  });
  expect(resourceList(registry.all(), '', 'v2')).toBeUndefined();
});

test('every kind has a schema that says which kind it is of', () => {
  const definitions = allDefinitions(builtInDefinitions(), registry, []);
  for (const { group, version, kind } of registry.all()) {
    const schema = definitions.get(definitionName({ group, version, kind }));
    expect(schema?.['x-kubernetes-group-version-kind']).toEqual([{ group, version, kind }]);
    expect(schema?.description).toBeTypeOf('string');
  }
});

test('the schema of a custom kind is named by its group backwards', () => {
  expect(definitionName({ group: 'stable.example.com', version: 'v1', kind: 'Widget' })).toBe(
    'com.example.stable.v1.Widget',
  );
});

test('OpenAPI 2 describes what it cannot say as anything at all', () => {
  const schema = {
    type: 'object',
    properties: {
      maybe: { type: 'string', nullable: true },
      free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: {} } },
      port: { 'x-kubernetes-int-or-string': true },
    },
  };
  expect(openApiV2([], new Map([['x', schema]]), 'v1').definitions['x']?.properties).toEqual({
    maybe: {},
    free: { type: 'object' },
    port: { type: 'string', format: 'int-or-string', 'x-kubernetes-int-or-string': true },
  });
});

test('the protobuf form is made of the bytes that the format prescribes', () => {
  const definitions = new Map([['a', { type: 'object', required: ['b'] }]]);
  const bytes = encodeOpenApiV2(openApiV2([], definitions, 'v1')).toString('hex');
  const schema = `9a0101${hex('b')}b201080a06${hex('object')}`;
  const named = `0a01${hex('a')}120f${schema}`;
  // 1: version, 2: title and version, 8: no paths, 9: one named schema.
  expect(bytes).toBe(`0a03${hex('2.0')}12100a0a${hex('Kubernetes')}1202${hex('v1')}42004a160a14${named}`);
});

test('OpenAPI 3 of a group holds all that its kinds refer to', () => {
  const definitions = allDefinitions(builtInDefinitions(), registry, []);
  const kind = {
    group: 'coordination.k8s.io',
    version: 'v1',
    kind: 'Lease',
    path: '/apis/coordination.k8s.io/v1/leases',
  };
  const text = openApiV3([kind], definitions, 'v1');
  const referred = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name);
  expect(referred.filter((name) => !text.includes(`"${name}":{`))).toEqual([]);
  expect(text).toContain('"fieldValidation"');
  expect(text).not.toContain('#/definitions/');
});

function hex(text: string): string {
  return Buffer.from(text).toString('hex');
}
