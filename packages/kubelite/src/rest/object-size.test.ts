import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { processorMs } from '../../../../tests/processor-time.ts';
import { openObjectStore } from '../store/object-store.ts';
import { startTestApi, type TestApi } from '../testing/test-api.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const TOO_LARGE = { status: 413, body: { reason: 'RequestEntityTooLarge' } };
const finalizers = (prefix: string) => Array.from({ length: 18_000 }, (_, n) => `example.com/${prefix}${n}`);
let api: TestApi;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kubelite-size-'));
  const store = openObjectStore(join(folder, 'objects.db'));
  const metadata = { name: 'old', namespace: 'default', uid: 'old', resourceVersion: '', creationTimestamp: '' };
  const old = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: many(50_000), other: 'x'.repeat(4_000_000) };
  await store.write((writer) => writer.put({ resource: 'configmaps', namespace: 'default', name: 'old' }, old));
  store.close();
  api = await startTestApi(folder);
});
afterAll(() => api.stop());

test('an object that grows by patches is refused at 3 MB', async () => {
  await api.admin.send('POST', MAPS, { body: { metadata: { name: 'long' }, data: {} } });
  const text = 'x'.repeat(1_000_000);
  for (const key of ['a', 'b', 'c']) expect((await merge('long', { data: { [key]: text } })).status).toBe(200);
  expect(await merge('long', { data: { d: text } })).toMatchObject(TOO_LARGE);
  expect((await merge('long', { data: { a: null } })).status).toBe(200);
});

test('an object that grows by patches is refused at 40,000 values, those of managedFields included', async () => {
  await api.admin.send('POST', MAPS, { body: { metadata: { name: 'wide' }, data: {} } });
  expect((await merge('wide', { data: many(15_000) })).status).toBe(200);
  expect(await merge('wide', { other: many(10_000) })).toMatchObject(TOO_LARGE);
});

test('the finalizers of an object are compared in linear time', async () => {
  await api.admin.send('POST', MAPS, { body: { metadata: { name: 'held', finalizers: finalizers('a') } } });
  const begun = processorMs();
  expect((await merge('held', { metadata: { finalizers: finalizers('b') } })).status).toBe(200);
  expect(processorMs() - begun).toBeLessThan(300);
});

test('an object that was stored with a larger size can be changed, shrunk and deleted', async () => {
  expect((await merge('old', { data: { added: '1' } })).status).toBe(413);
  expect((await merge('old', { data: { k1: null }, metadata: { finalizers: ['example.com/a'] } })).status).toBe(413);
  expect((await merge('old', { other: null, data: null })).status).toBe(200);
  expect((await api.admin.send('DELETE', `${MAPS}/old`)).status).toBe(200);
});

function merge(name: string, body: object) {
  return api.admin.send('PATCH', `${MAPS}/${name}`, {
    text: JSON.stringify(body),
    type: 'application/merge-patch+json',
  });
}

function many(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, '1']));
}
