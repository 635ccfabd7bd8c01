import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRealObjects, type RealObjects } from '../kinds/testing/real-objects.ts';
import { type JsonObject, objectAt } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import { SYSTEM_USER } from '../objects/object-service.ts';

const NAME = 'widgets.example.com';

let real: RealObjects;

beforeEach(async () => {
  real = await openRealObjects();
  const schema = { openAPIV3Schema: { type: 'object' } };
  const version = (name: string, storage: boolean) => ({ name, served: true, storage, schema });
  const names = { plural: 'widgets', kind: 'Widget' };
  const versions = [version('v1', false), version('v2', true)];
  const spec = { group: 'example.com', scope: 'Namespaced', names, versions };
  await real.create(real.kinds.customResourceDefinition, NAME, { spec });
});
afterEach(async () => real.close());

async function writeStatus(change: (status: JsonObject) => JsonObject): Promise<JsonObject> {
  const edit = (current: KubeObject) => ({ ...current, status: change(objectAt(current, 'status')) });
  const key = { namespace: '', name: NAME };
  const options = { user: SYSTEM_USER, subresource: 'status' };
  await real.objects.update(real.kinds.customResourceDefinition, key, edit, options);
  return objectAt(real.objects.get(real.kinds.customResourceDefinition, key), 'status');
}

test('what a client writes to the status of a definition is stored', async () => {
  const own = { type: 'Migrated', status: 'True' };
  await writeStatus((status) => ({ ...status, storedVersions: ['v1', 'v2'] }));
  const written = await writeStatus((status) => ({
    ...status,
    storedVersions: ['v2'],
    observedGeneration: 3,
    conditions: [own],
  }));
  expect(written).toMatchObject({ storedVersions: ['v2'], observedGeneration: 3 });
  expect(written['conditions']).toContainEqual(own);
  expect(written['conditions']).toHaveLength(3);
});

test.each([
  ['accepted names', { acceptedNames: { plural: 'others', kind: 'Other' } }, 'status.acceptedNames'],
  ['a version that does not exist', { storedVersions: ['v2', 'v9'] }, 'status.storedVersions[1]'],
  ['a condition that the server sets', { conditions: [{ type: 'Established', status: 'False' }] }, 'Established'],
])('a status with a separate %s is refused', async (_what, part, field) => {
  const writing = writeStatus((status) => ({ ...status, ...part }));
  await expect(writing).rejects.toMatchObject({ code: 422, message: expect.stringContaining(field) });
});
