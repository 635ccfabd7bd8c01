import { OperatorError } from '@fenestra/kernel';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatResource, objectResource, parseResource, type Resource } from './resource.ts';

const token = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => !text.includes('/'));
const namespace = fc.option(token.filter((text) => text !== 'null'));

const resource: fc.Arbitrary<Resource> = fc.oneof(
  fc
    .record({ namespace, type: token, name: token }, { requiredKeys: ['namespace', 'type'], noNullPrototype: true })
    .map((parts) => ({ form: 'object' as const, ...parts })),
  fc.record({ version: token, kind: token, job: token, node: token }).map(({ version, ...parts }) => ({
    form: 'task' as const,
    apiVersion: `operations.kubeedge.io/${version}`,
    ...parts,
  })),
  fc.record({ task: token, node: token }).map((parts) => ({ form: 'legacy-task' as const, ...parts })),
  fc.record({ namespace, device: token, event: token }).map((parts) => ({ form: 'twin' as const, ...parts })),
  fc
    .constantFrom('node', 'k8s/ca.crt', 'membership/detail', 'null', '')
    .map((text) => ({ form: 'plain' as const, text })),
);

test('parseResource gives back what formatResource was given', () => {
  fc.assert(
    fc.property(resource, (given) => {
      const text = formatOrSkip(given);
      expect(parseResource(text)).toEqual(given);
    }),
    { numRuns: 1000 },
  );
});

test('formatResource gives back any string that parseResource took apart', () => {
  const path = fc.array(fc.oneof(token, fc.constantFrom('', 'null', 'node', 'device', 'twin', 'task')), {
    maxLength: 7,
  });
  const any = fc.oneof(
    fc.string(),
    path.map((tokens) => tokens.join('/')),
  );
  fc.assert(
    fc.property(any, (text) => {
      expect(formatResource(parseResource(text))).toBe(text);
    }),
    { numRuns: 2000 },
  );
});

test.each<[string, Resource]>([
  ['default/pod/p1', { form: 'object', namespace: 'default', type: 'pod', name: 'p1' }],
  ['null/node/n1', { form: 'object', namespace: null, type: 'node', name: 'n1' }],
  ['default/podstatus', { form: 'object', namespace: 'default', type: 'podstatus' }],
  ['node/configmap/c', { form: 'object', namespace: 'node', type: 'configmap', name: 'c' }],
  [
    'operations.kubeedge.io/v1alpha2/nodeupgradejob/j1/node/n1',
    { form: 'task', apiVersion: 'operations.kubeedge.io/v1alpha2', kind: 'nodeupgradejob', job: 'j1', node: 'n1' },
  ],
  ['task/t1/node/n1', { form: 'legacy-task', task: 't1', node: 'n1' }],
  ['device/ns/d/twin/edge_updated', { form: 'twin', namespace: 'ns', device: 'd', event: 'edge_updated' }],
  ['device/d/twin/cloud_updated', { form: 'twin', namespace: null, device: 'd', event: 'cloud_updated' }],
  ['k8s/ca.crt', { form: 'plain', text: 'k8s/ca.crt' }],
  ['node', { form: 'plain', text: 'node' }],
  ['a//b', { form: 'plain', text: 'a//b' }],
  ['a/b/c/d', { form: 'plain', text: 'a/b/c/d' }],
])('parseResource reads "%s"', (text, expected) => {
  expect(parseResource(text)).toEqual(expected);
});

test('objectResource writes cluster objects with the namespace "null"', () => {
  expect(objectResource(null, 'node', 'n1')).toBe('null/node/n1');
  expect(objectResource('default', 'podstatus')).toBe('default/podstatus');
});

test.each([
  ['', 'pod', 'p'],
  ['default', '', 'p'],
  ['default', 'pod', ''],
  ['default', 'pod', 'a/b'],
  ['../x', 'pod', 'p'],
])('objectResource refuses "%s", "%s", "%s"', (space, type, name) => {
  expect(() => objectResource(space, type, name)).toThrow(OperatorError);
});

test('a plain resource that would be read as an object is refused', () => {
  expect(() => formatResource({ form: 'plain', text: 'default/pod/p1' })).toThrow(OperatorError);
});

function formatOrSkip(given: Resource): string {
  try {
    return formatResource(given);
  } catch {
    fc.pre(false);
    throw new Error('unreachable');
  }
}
