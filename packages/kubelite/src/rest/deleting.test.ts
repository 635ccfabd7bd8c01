import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringAt, valueAt, type JsonObject } from '../objects/json.ts';
import { startTestApi, type TestApi } from '../testing/test-api.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const PODS = '/api/v1/namespaces/default/pods';
let api: TestApi;

beforeAll(async () => void (api = await startTestApi()));
afterAll(() => api.stop());

test('a finalizer keeps a deleted object until it is removed, and none can be added in the meantime', async () => {
  const body = map('held');
  await api.admin.send('POST', MAPS, { body: { ...body, metadata: { name: 'held', finalizers: ['example.com/x'] } } });
  const deleted = await api.admin.send('DELETE', `${MAPS}/held`);
  expect(stringAt(deleted.body, 'metadata', 'deletionTimestamp')).not.toBe('');
  const type = 'application/merge-patch+json';
  const more = { metadata: { finalizers: ['example.com/x', 'example.com/y'] } };
  expect((await api.admin.send('PATCH', `${MAPS}/held`, { type, body: more })).status).toBe(422);
  const none = { metadata: { finalizers: null } };
  expect((await api.admin.send('PATCH', `${MAPS}/held`, { type, body: none })).status).toBe(200);
  expect((await api.admin.send('GET', `${MAPS}/held`)).status).toBe(404);
});

test('a grace period keeps the object until someone deletes it with none', async () => {
  await api.admin.send('POST', PODS, { body: pod('grace') });
  const deleted = await api.admin.send('DELETE', `${PODS}/grace`);
  expect(valueAt(deleted.body, 'metadata', 'deletionGracePeriodSeconds')).toBe(30);
  expect((await api.admin.send('GET', `${PODS}/grace`)).status).toBe(200);
  const forced = await api.admin.send('DELETE', `${PODS}/grace`, { body: { gracePeriodSeconds: 0 } });
  expect(forced.body['status']).toBe('Success');
  expect((await api.admin.send('GET', `${PODS}/grace`)).status).toBe(404);
});

test.each(['9'.repeat(400), '18446744073709551616', '-1', '1.5', 'soon'])(
  'a grace period of %s seconds in the query is a 400',
  async (seconds) => {
    const deleted = await api.admin.send('DELETE', `${PODS}/absent?gracePeriodSeconds=${seconds}`);
    expect(deleted.status).toBe(400);
  },
);

test.each([1e300, 1.5])('a grace period of %s seconds in the body is a 400', async (gracePeriodSeconds) => {
  const deleted = await api.admin.send('DELETE', `${PODS}/absent`, { body: { gracePeriodSeconds } });
  expect(deleted.status).toBe(400);
});

test('a grace period that no date can hold is shortened', async () => {
  await api.admin.send('POST', PODS, { body: pod('patient') });
  const gracePeriodSeconds = Number.MAX_SAFE_INTEGER;
  const deleted = await api.admin.send('DELETE', `${PODS}/patient`, { body: { gracePeriodSeconds } });
  expect(deleted.status).toBe(200);
  expect(valueAt(deleted.body, 'metadata', 'deletionGracePeriodSeconds')).toBe(2 ** 31 - 1);
  expect(stringAt(deleted.body, 'metadata', 'deletionTimestamp')).toMatch(/^20\d\d-/);
});

test('a deletion for another uid is a 409', async () => {
  await api.admin.send('POST', MAPS, { body: map('mine') });
  const other = await api.admin.send('DELETE', `${MAPS}/mine`, { body: { preconditions: { uid: 'other' } } });
  expect(other.status).toBe(409);
});

function map(name: string, data: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
}

function pod(name: string): JsonObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: {} };
}
