import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openObjectStore } from '../../store/object-store.ts';
import { startTestApi, type TestApi } from '../../testing/test-api.ts';
import { CONFIG_MAPS } from '../../testing/test-kinds.ts';
import type { KubeObject } from '../kube-object.ts';
import { SYSTEM_USER, type DeleteOptions } from '../object-service.ts';

let api: TestApi;

beforeEach(async () => void (api = await startTestApi()));
afterEach(() => api.stop());

test('what has lost its only owner goes, and what it owns too', async () => {
  const owner = await make('owner');
  const child = await make('child', [owner]);
  await make('grandchild', [child]);
  await remove('owner');
  await gone('child', 'grandchild');
});

test('what has another owner stays and forgets the lost one', async () => {
  const [first, second] = [await make('first'), await make('second')];
  await make('shared', [first, second]);
  await remove('first');
  await vi.waitFor(() => expect(owners('shared')).toEqual(['second']));
});

test('a foreground deletion waits for the dependents that block it', async () => {
  const owner = await make('owner');
  await make('blocking', [owner], ['example.com/hold']);
  await remove('owner', 'Foreground');
  await vi.waitFor(() => expect(find('blocking')?.metadata.deletionTimestamp).toBeDefined());
  expect(find('owner')?.metadata.finalizers).toEqual(['foregroundDeletion']);
  await letGo('blocking');
  await gone('blocking', 'owner');
});

test('an orphaning deletion sets the dependents free', async () => {
  const owner = await make('owner');
  await make('free', [owner]);
  await remove('owner', 'Orphan');
  await gone('owner');
  expect(owners('free')).toEqual([]);
});

test('an object made for an owner that is gone goes as well', async () => {
  const owner = await make('owner');
  await remove('owner');
  await make('late', [owner]);
  await gone('late');
});

test('an owner of a kind no one serves is left alone', async () => {
  const owner = await make('owner');
  await make('foreign', [{ ...owner, kind: 'Unknown', metadata: { ...owner.metadata, uid: 'elsewhere' } }]);
  await api.context.objects.delete(CONFIG_MAPS, key('owner'), { user: SYSTEM_USER });
  await new Promise((resolve) => void setTimeout(resolve, 50));
  expect(find('foreign')).toBeDefined();
});

test('what a crash left to collect is collected at the next start', async () => {
  const owner = await make('owner');
  await make('child', [owner], ['example.com/hold']);
  await remove('owner', 'Foreground');
  await vi.waitFor(() => expect(find('child')?.metadata.deletionTimestamp).toBeDefined());
  api = await api.restart();
  await letGo('child');
  await gone('child', 'owner');
});

test.each([1, 2, 5, 40])('a circle of %i owners is deleted in the foreground', async (length) => {
  const names = await makeCircle(length);
  await remove('ring-0', 'Foreground');
  await gone(...names);
});

test('a circle that was left behind is collected at the next start', async () => {
  const names = await makeCircle(3);
  const left = names.flatMap((name) => find(name) ?? []);
  await api.kubelite.close();
  const store = openObjectStore(join(api.folder, 'objects.db'));
  await store.write((writer) => {
    for (const object of left) {
      const deletion = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['foregroundDeletion'] };
      const metadata = { ...object.metadata, ...deletion };
      writer.put({ resource: 'configmaps', namespace: 'default', name: metadata.name }, { ...object, metadata });
    }
  });
  store.close();
  api = await api.restart();
  await gone(...names);
});

async function makeCircle(length: number): Promise<readonly string[]> {
  const names = Array.from({ length }, (_, index) => `ring-${index}`);
  const made: KubeObject[] = [];
  for (const name of names) made.push(await make(name, made.slice(-1)));
  const first = find('ring-0');
  const last = made.slice(-1).map(({ kind, apiVersion, metadata }) => {
    return { kind, apiVersion, name: metadata.name, uid: metadata.uid, blockOwnerDeletion: true };
  });
  if (!first) throw new Error('ring-0 was not made');
  const closed = { ...first, metadata: { ...first.metadata, ownerReferences: last } };
  await api.context.objects.update(CONFIG_MAPS, key('ring-0'), () => closed, { user: SYSTEM_USER });
  return names;
}

async function make(
  name: string,
  of: readonly KubeObject[] = [],
  finalizers: readonly string[] = [],
): Promise<KubeObject> {
  const ownerReferences = of.map(({ kind, apiVersion, metadata }) => {
    return { kind, apiVersion, name: metadata.name, uid: metadata.uid, blockOwnerDeletion: true };
  });
  const metadata = { name, namespace: 'default', ownerReferences, finalizers };
  return api.context.objects.create(
    CONFIG_MAPS,
    { apiVersion: 'v1', kind: 'ConfigMap', metadata },
    { user: SYSTEM_USER },
  );
}

async function remove(name: string, propagation?: DeleteOptions['propagation']): Promise<void> {
  const options = { user: SYSTEM_USER, ...(propagation && { propagation }) };
  await api.context.objects.delete(CONFIG_MAPS, key(name), options);
}

async function letGo(name: string): Promise<void> {
  await api.context.objects.update(CONFIG_MAPS, key(name), withoutFinalizers, { user: SYSTEM_USER });
}

function withoutFinalizers(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, finalizers: [] } };
}

async function gone(...names: readonly string[]): Promise<void> {
  await vi.waitFor(() => expect(names.filter((name) => find(name))).toEqual([]), { timeout: 15_000 });
}

function find(name: string): KubeObject | undefined {
  return api.context.objects.get(CONFIG_MAPS, key(name));
}

function owners(name: string): readonly string[] {
  return (find(name)?.metadata.ownerReferences ?? []).map((owner) => owner.name);
}

function key(name: string) {
  return { namespace: 'default', name };
}
