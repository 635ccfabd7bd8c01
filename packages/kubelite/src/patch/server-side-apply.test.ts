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

test('another value for a field of someone else is a conflict, and force takes the field', () => {
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

test('ports are distinguished by number and protocol, and TCP goes without saying', () => {
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

test('a removed field belongs to no one', () => {
  const applied = apply(base, 'one', { data: { a: '1', b: '2' } });
  const updated = update(applied, 'two', { data: { b: '2' } });
  expect(owned(updated, 'one')).toEqual({ 'f:data': { 'f:b': {} } });
  expect(owned(updated, 'two')).toBeUndefined();
});

test.each([{}, null])('an applied map that is %j leaves the entries of others and owns itself', (data) => {
  const both = apply(apply(base, 'one', { data: { a: '1' } }), 'two', { data });
  expect(both['data']).toEqual({ a: '1' });
  expect(owned(both, 'two')).toEqual({ 'f:data': {} });
  const more = update(both, 'three', { data: { a: '1', b: '2' } });
  expect(owned(more, 'two')).toEqual({ 'f:data': {} });
  expect(apply(more, 'two', {})['data']).toEqual({ a: '1', b: '2' });
});

test('an applied empty list leaves the items of others', () => {
  const spec = { containers: [{ name: 'a', image: 'x' }] };
  const first = apply(base, 'one', { metadata: { finalizers: ['x/y'] }, spec });
  const both = apply(first, 'two', { metadata: { finalizers: [] }, spec: { containers: [] } }, true);
  expect(both['spec']).toEqual(spec);
  expect(owned(both, 'one')).toEqual(owned(first, 'one'));
  expect(apply(both, 'two', {})['spec']).toEqual(spec);
});

test('a map emptied by its manager stays as an empty one', () => {
  const first = apply(base, 'one', { data: { a: '1' } });
  expect(apply(first, 'one', { data: {} })['data']).toEqual({});
  const both = apply(apply(base, 'one', { data: {} }), 'two', { data: { a: '1' } });
  expect(owned(both, 'one')).toEqual({ 'f:data': {} });
  expect(apply(both, 'two', {})['data']).toEqual({});
});

test('a map that goes belongs to no one', () => {
  const both = apply(apply(base, 'one', { data: {} }), 'two', { data: { a: '1' } });
  const { data: _gone, ...rest } = both;
  const removed = recordUpdate(both, rest, manager('three', 'Update'), builtInListShape);
  expect(removed.metadata.managedFields).toEqual([]);
});

test('a value of another type is a conflict in both directions', () => {
  const options = { force: false, shapes: builtInListShape };
  const text = apply(base, 'one', { spec: { x: 'text' } });
  const map = apply(base, 'one', { spec: { x: { a: '1' } } });
  const who = manager('two', 'Apply');
  for (const [live, x] of [
    [text, { a: '1' }],
    [text, {}],
    [map, 'text'],
  ] as const)
    expect(applyConfiguration(live, { spec: { x } }, who, options).conflicts).toMatchObject([{ field: '.spec.x' }]);
});

test('the first apply finds the fields of an object without managers owned', () => {
  const live = { ...base, data: { a: '1', b: '2' } };
  const options = { force: false, shapes: builtInListShape };
  const refused = applyConfiguration(live, { data: { a: '9' } }, manager('one', 'Apply'), options);
  expect(refused.conflicts).toEqual([{ field: '.data.a', manager: 'before-first-apply' }]);
  const gone = apply(apply(live, 'one', { data: { a: '9' } }, true), 'one', {});
  expect(gone['data']).toEqual({ b: '2' });
});

test('an item of a list that has a key twice stays unless it is applied', () => {
  const [one, two, other] = [{ containerPort: 80, name: 'a' }, { containerPort: 80, name: 'b' }, { containerPort: 9 }];
  const live = { ...base, spec: { containers: [{ name: 'c', ports: [one, other, two] }] } };
  expect(apply(live, 'x', withPorts([{ containerPort: 1 }]), true)['spec']).toEqual(
    withPorts([one, other, two, { containerPort: 1 }]).spec,
  );
  expect(() => apply(live, 'x', withPorts([one, two]), true)).toThrow('duplicate entries for key [containerPort=80');
  expect(() => apply(live, 'x', withPorts([{ name: 'none' }]), true)).toThrow('lacks the key fields');
  expect(() => apply(live, 'x', { metadata: { finalizers: ['a', 'a'] } })).toThrow('duplicate entries for key [="a"]');
});

test('many updaters are kept to ten and their fields are not forgotten', () => {
  let object = base;
  for (let n = 0; n < 20; n += 1) object = update(object, `m${n}`, { data: { ...dataOf(object), [`k${n}`]: 'x' } });
  expect(ownersOf(object)).toHaveLength(10);
  const fields = ownersOf(object).flatMap((owner) => [...(owner.fields.get('f:data')?.keys() ?? [])]);
  expect(new Set(fields).size).toBe(20);
});

function withPorts(ports: readonly JsonObject[]): { readonly spec: JsonObject } {
  return { spec: { containers: [{ name: 'c', ports }] } };
}

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
