import { expect, test } from 'vitest';
import type { JsonObject } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import { builtInListShape } from './list-shape.ts';
import { managedFieldsOf, recordUpdate, type FieldManager } from './managed-fields.ts';
import { applyConfiguration } from './server-side-apply.ts';
import { applyStrategicMergePatch } from './strategic-merge-patch.ts';

// A size that takes less than a second in linear time, and at least half a minute in quadratic time.
const MANY = 30_000;
const metadata = { name: 'p', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' };
const env = Array.from({ length: MANY }, (_, n) => ({ name: `n${n}`, value: 'x' }));
const large: KubeObject = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [{ name: 'c', env }] } };

test('a strategic merge patch takes linear time in the items of a keyed list', () => {
  const changed = env.map((item) => ({ ...item, value: 'y' })).toReversed();
  const patch = { spec: { containers: [{ name: 'c', env: changed, '$setElementOrder/env': changed }] } };
  const result = JSON.stringify(applyStrategicMergePatch(large, patch, builtInListShape));
  expect(result.startsWith('{"apiVersion":"v1"')).toBe(true);
  expect(result).not.toContain('"x"');
});

test('a strategic merge patch takes linear time in the items that have one key', () => {
  const same = env.map((_, n) => ({ name: 'n7', [`k${n % 50}`]: n }));
  const patch = { spec: { containers: [{ name: 'c', env: same }] } };
  const result = JSON.stringify(applyStrategicMergePatch(large, patch, builtInListShape));
  expect(result).toContain(`"k49":${MANY - 1}`);
});

test('a strategic merge patch takes linear time in the values of a set', () => {
  const names = env.map(({ name }) => name);
  const patch = { metadata: { finalizers: names, '$deleteFromPrimitiveList/finalizers': names.slice(1) } };
  const target = { metadata: { finalizers: names } };
  expect(applyStrategicMergePatch(target, patch, builtInListShape)).toEqual({
    metadata: { finalizers: [names[0], ...names.slice(1)] },
  });
});

test('server-side apply takes linear time in the items of a keyed list, also where they conflict or go', () => {
  const { spec = {}, ...empty } = large;
  const first = applied(empty, 'one', { spec });
  const other = env.map((item) => ({ ...item, value: 'y' }));
  const wish = { spec: { containers: [{ name: 'c', env: other }] } };
  const refused = applyConfiguration(first, wish, manager('two'), { force: false, shapes: builtInListShape });
  expect(refused.conflicts).toHaveLength(100);
  const forced = applied(first, 'two', wish);
  expect(JSON.stringify(forced['spec'])).toBe(JSON.stringify(wish.spec));
  expect(applied(applied(forced, 'one', {}), 'two', {})['spec']).toBeUndefined();
});

test('an update takes linear time in the fields and in the managers that the object names', () => {
  const managedFields = Array.from({ length: 20_000 }, (_, n) => ({
    manager: `m${n}`,
    operation: 'Update' as const,
    apiVersion: 'v1',
    fieldsType: 'FieldsV1' as const,
    fieldsV1: { [`f:a${n}`]: {} },
  }));
  const next = { ...large, metadata: { ...metadata, managedFields }, spec: { containers: [] } };
  const who: FieldManager = { ...manager('me'), operation: 'Update' };
  const updated = recordUpdate(large, next, who, builtInListShape);
  expect(updated.metadata.managedFields).toHaveLength(10);
});

function applied(live: KubeObject, name: string, wish: JsonObject): KubeObject {
  const result = applyConfiguration(live, wish, manager(name), { force: true, shapes: builtInListShape });
  if (!('object' in result)) throw new Error('there are conflicts');
  const owned = { ...metadata, managedFields: managedFieldsOf(result.owners) };
  return { ...result.object, apiVersion: 'v1', kind: 'Pod', metadata: owned };
}

function manager(name: string): FieldManager {
  return { manager: name, operation: 'Apply', apiVersion: 'v1', subresource: '', time: '2026-01-01T00:00:00Z' };
}
