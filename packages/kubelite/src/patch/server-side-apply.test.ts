import { expect, test } from 'vitest';
import type { JsonObject } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import { builtInListShape } from './list-shape.ts';
import { ownersOf, recordUpdate, managedFieldsOf, type FieldManager } from './managed-fields.ts';
import { applyConfiguration } from './server-side-apply.ts';

const base: KubeObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' },
};

test('an applied field belongs to its manager, and applying less removes it', () => {
  const first = apply(base, 'one', { data: { a: '1', b: '2' } });
  expect(first['data']).toEqual({ a: '1', b: '2' });
  expect(owned(first, 'one')).toEqual({ 'f:data': { 'f:a': {}, 'f:b': {} } });
  const second = apply(first, 'one', { data: { a: '1' } });
  expect(second['data']).toEqual({ a: '1' });
});

test('a field two managers agree on stays until both let go of it', () => {
  const both = apply(apply(base, 'one', { data: { a: '1' } }), 'two', { data: { a: '1' } });
  const left = apply(both, 'one', {});
  expect(left['data']).toEqual({ a: '1' });
  expect(apply(left, 'two', {})['data']).toBeUndefined();
});

test('another value for a field of somebody else is a conflict, and force takes the field', () => {
  const first = apply(base, 'one', { data: { a: '1' } });
  const who = manager('two', 'Apply');
  const refused = applyConfiguration(first, { data: { a: '2' } }, who, { force: false, shapes: builtInListShape });
  expect(refused.conflicts).toEqual([{ field: '.data.a', manager: 'one' }]);
  const forced = apply(first, 'two', { data: { a: '2' } }, true);
  expect(forced['data']).toEqual({ a: '2' });
  expect(owned(forced, 'one')).toBeUndefined();
});

test('list items merge by key, are owned by key, and go with their last owner', () => {
  const first = apply(base, 'one', { spec: { containers: [{ name: 'a', image: 'x' }] } });
  const second = apply(first, 'two', { spec: { containers: [{ name: 'b', image: 'y' }] } });
  expect(second['spec']).toEqual({
    containers: [
      { name: 'a', image: 'x' },
      { name: 'b', image: 'y' },
    ],
  });
  expect(owned(second, 'two')).toEqual({
    'f:spec': { 'f:containers': { 'k:{"name":"b"}': { '.': {}, 'f:name': {}, 'f:image': {} } } },
  });
  expect(apply(second, 'one', {})['spec']).toEqual({ containers: [{ name: 'b', image: 'y' }] });
});

test('ports are told apart by number and protocol, and TCP goes without saying', () => {
  const port = { containerPort: 80, protocol: 'TCP' };
  const live = apply(base, 'one', { spec: { containers: [{ name: 'a', ports: [port] }] } });
  const same = apply(live, 'one', {
    spec: { containers: [{ name: 'a', ports: [{ containerPort: 80, name: 'http' }] }] },
  });
  expect(same['spec']).toEqual({
    containers: [{ name: 'a', ports: [{ containerPort: 80, protocol: 'TCP', name: 'http' }] }],
  });
});

test('an update takes the fields it changes, and only those', () => {
  const applied = apply(base, 'one', { data: { a: '1', b: '2' } });
  const updated = update(applied, 'two', { data: { a: '9', b: '2', c: '3' } });
  expect(owned(updated, 'one')).toEqual({ 'f:data': { 'f:b': {} } });
  expect(owned(updated, 'two')).toEqual({ 'f:data': { 'f:a': {}, 'f:c': {} } });
});

test('a removed field belongs to nobody', () => {
  const applied = apply(base, 'one', { data: { a: '1', b: '2' } });
  const updated = update(applied, 'two', { data: { b: '2' } });
  expect(owned(updated, 'one')).toEqual({ 'f:data': { 'f:b': {} } });
  expect(owned(updated, 'two')).toBeUndefined();
});

test('many updaters are kept to ten and their fields are not forgotten', () => {
  let object = base;
  for (let n = 0; n < 20; n += 1) object = update(object, `m${n}`, { data: { ...dataOf(object), [`k${n}`]: 'x' } });
  expect(ownersOf(object)).toHaveLength(10);
  const fields = ownersOf(object).flatMap((owner) => [...(owner.fields.get('f:data')?.keys() ?? [])]);
  expect(new Set(fields).size).toBe(20);
});

function apply(live: KubeObject, name: string, applied: JsonObject, force = false): KubeObject {
  const result = applyConfiguration(live, applied, manager(name, 'Apply'), { force, shapes: builtInListShape });
  if (!('object' in result)) throw new Error(JSON.stringify(result));
  const metadata = { ...base.metadata, managedFields: managedFieldsOf(result.owners) };
  return { ...result.object, apiVersion: 'v1', kind: 'ConfigMap', metadata };
}

function update(live: KubeObject, name: string, change: JsonObject): KubeObject {
  return recordUpdate(live, { ...live, ...change }, manager(name, 'Update'), builtInListShape);
}

function manager(name: string, operation: 'Apply' | 'Update'): FieldManager {
  return { manager: name, operation, apiVersion: 'v1', subresource: '', time: '2026-01-01T00:00:00Z' };
}

function owned(object: KubeObject, name: string): JsonObject | undefined {
  return object.metadata.managedFields?.find((entry) => entry.manager === name)?.fieldsV1;
}

function dataOf(object: KubeObject): JsonObject {
  return Object.fromEntries(Object.entries(object['data'] ?? {}));
}
