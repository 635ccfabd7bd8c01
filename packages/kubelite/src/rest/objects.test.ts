import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringAt, valueAt, type JsonObject } from '../objects/json.ts';
import { startTestApi, type TestApi } from '../testing/test-api.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const PODS = '/api/v1/namespaces/default/pods';
let api: TestApi;

beforeAll(async () => void (api = await startTestApi()));
afterAll(() => api.stop());

test('a created object has a uid, a date and a version, and is found again', async () => {
  const created = await api.admin.send('POST', MAPS, { body: map('a', { k: 'v' }) });
  expect(created.status).toBe(201);
  expect(stringAt(created.body, 'metadata', 'uid')).toMatch(/^[0-9a-f-]{36}$/);
  expect(stringAt(created.body, 'metadata', 'creationTimestamp')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const found = await api.admin.send('GET', `${MAPS}/a`);
  expect(found.body).toEqual(created.body);
});

test('a name is taken once, and the refusal is the Status that kubectl knows', async () => {
  await api.admin.send('POST', MAPS, { body: map('twice') });
  const again = await api.admin.send('POST', MAPS, { body: map('twice') });
  expect(again.body).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'configmaps "twice" already exists',
    reason: 'AlreadyExists',
    details: { name: 'twice', group: '', kind: 'configmaps' },
    code: 409,
  });
});

test('generateName makes names that differ', async () => {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'gen-' } };
  const answers = await Promise.all([1, 2, 3].map(() => api.admin.send('POST', MAPS, { body })));
  const names = answers.map((answer) => stringAt(answer.body, 'metadata', 'name'));
  expect(new Set(names).size).toBe(3);
  expect(names.every((name) => /^gen-[a-z0-9]{5}$/.test(name))).toBe(true);
});

test('an update from an old version is a 409 and the newer object stays', async () => {
  const { body } = await api.admin.send('POST', MAPS, { body: map('race') });
  const first = await api.admin.send('PUT', `${MAPS}/race`, { body: { ...body, data: { n: '1' } } });
  const second = await api.admin.send('PUT', `${MAPS}/race`, { body: { ...body, data: { n: '2' } } });
  expect([first.status, second.status]).toEqual([200, 409]);
  expect(second.body['reason']).toBe('Conflict');
  expect(stringAt(second.body, 'message')).toContain('the object has been modified');
  expect((await api.admin.send('GET', `${MAPS}/race`)).body['data']).toEqual({ n: '1' });
});

test('of many updates from one version exactly one wins', async () => {
  const { body } = await api.admin.send('POST', MAPS, { body: map('many') });
  const updates = Array.from({ length: 10 }, (_, n) =>
    api.admin.send('PUT', `${MAPS}/many`, { body: { ...body, data: { n: String(n) } } }),
  );
  const statuses = (await Promise.all(updates)).map((answer) => answer.status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status === 409)).toHaveLength(9);
});

test('an update that changes nothing keeps the version', async () => {
  const { body } = await api.admin.send('POST', MAPS, { body: map('same', { a: '1' }) });
  const again = await api.admin.send('PUT', `${MAPS}/same`, { body });
  expect(valueAt(again.body, 'metadata', 'resourceVersion')).toBe(valueAt(body, 'metadata', 'resourceVersion'));
});

test('status and the rest are written apart, and only a change of the rest counts as a generation', async () => {
  const body = { ...pod('parts'), status: { phase: 'Running' } };
  const created = await api.admin.send('POST', PODS, { body });
  expect(created.body['status']).toBeUndefined();
  expect(valueAt(created.body, 'metadata', 'generation')).toBe(1);
  const withStatus = { ...created.body, spec: { nodeName: 'ignored' }, status: { phase: 'Running' } };
  const status = await api.admin.send('PUT', `${PODS}/parts/status`, { body: withStatus });
  expect(status.body['status']).toEqual({ phase: 'Running' });
  expect(status.body['spec']).toEqual({});
  const spec = { ...status.body, spec: { nodeName: 'n' }, status: { phase: 'Ignored' } };
  const updated = await api.admin.send('PUT', `${PODS}/parts`, { body: spec });
  expect(updated.body['status']).toEqual({ phase: 'Running' });
  expect(valueAt(updated.body, 'metadata', 'generation')).toBe(2);
});

test('a dry run answers as the real thing and changes nothing', async () => {
  const dry = await api.admin.send('POST', `${MAPS}?dryRun=All`, { body: map('dry') });
  expect(dry.status).toBe(201);
  expect((await api.admin.send('GET', `${MAPS}/dry`)).status).toBe(404);
  await api.admin.send('POST', MAPS, { body: map('wet') });
  expect((await api.admin.send('DELETE', `${MAPS}/wet?dryRun=All`)).status).toBe(200);
  expect((await api.admin.send('GET', `${MAPS}/wet`)).status).toBe(200);
});

test('a namespace must be there', async () => {
  const missing = await api.admin.send('POST', '/api/v1/namespaces/nowhere/configmaps', { body: map('x') });
  expect([missing.status, missing.body['message']]).toEqual([404, 'namespaces "nowhere" not found']);
});

test('a subresource answers for itself', async () => {
  const echo = await api.admin.send('POST', `${PODS}/p/echo`, { body: { a: 1 } });
  expect([echo.status, echo.body['name'], echo.body['body']]).toEqual([201, 'p', { a: 1 }]);
  expect((await api.admin.send('POST', `${PODS}/p/other`, { body: {} })).status).toBe(404);
  expect((await api.admin.send('GET', `${PODS}/p/echo`)).status).toBe(405);
});

test('an object that a rule refuses is a 422 with the field', async () => {
  const bad = await api.admin.send('POST', MAPS, { body: { ...map('bad'), data: 'bad' } });
  expect(bad.status).toBe(422);
  expect(bad.body['message']).toBe('ConfigMap "bad" is invalid: data: Invalid value: "bad": must be a map');
});

test('an unknown field is refused, reported or ignored as the client asks', async () => {
  const body = { ...map('strict'), unknown: 1 };
  const strict = await api.admin.send('POST', `${MAPS}?fieldValidation=Strict`, { body });
  expect([strict.status, strict.body['message']]).toEqual([400, 'strict decoding error: unknown field "unknown"']);
  const warned = await api.admin.send('POST', MAPS, { body });
  expect(warned.headers['warning']).toBe('299 - "unknown field \\"unknown\\""');
});

test.each<[string, number, string, string]>([
  ['no JSON', 400, '{', MAPS],
  ['an array', 400, '[]', MAPS],
  ['another kind', 400, '{"kind":"Pod","metadata":{"name":"x"}}', MAPS],
  ['labels that are not text', 400, '{"metadata":{"name":"x","labels":{"a":1}}}', MAPS],
  ['no name', 422, '{"metadata":{}}', MAPS],
  ['a name with a slash', 422, '{"metadata":{"name":"a/b"}}', MAPS],
  ['another namespace', 400, '{"metadata":{"name":"x","namespace":"other"}}', MAPS],
  ['a body of four megabytes', 413, `{"metadata":{"name":"x"},"a":"${'x'.repeat(4_000_000)}"}`, MAPS],
  ['an unknown resource', 404, '{}', '/api/v1/namespaces/default/nothings'],
])('%s is refused with %i', async (_what, status, text, path) => {
  const answer = await api.admin.send('POST', path, { text, type: 'application/json' });
  expect(answer.status).toBe(status);
  expect(answer.body['kind']).toBe('Status');
});

test('what was acknowledged is there after a restart, and versions go on', async () => {
  const { body } = await api.admin.send('POST', MAPS, { body: map('kept', { a: '1' }) });
  api = await api.restart();
  expect((await api.admin.send('GET', `${MAPS}/kept`)).body).toEqual(body);
  const next = await api.admin.send('POST', MAPS, { body: map('after') });
  expect(Number(valueAt(next.body, 'metadata', 'resourceVersion'))).toBeGreaterThan(
    Number(valueAt(body, 'metadata', 'resourceVersion')),
  );
});

function map(name: string, data: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
}

function pod(name: string): JsonObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: {} };
}
