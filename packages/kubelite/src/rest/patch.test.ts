import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringAt, valueAt, type Json } from '../objects/json.ts';
import { startTestApi, type TestApi } from '../testing/test-api.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const PODS = '/api/v1/namespaces/default/pods';
let api: TestApi;

beforeAll(async () => void (api = await startTestApi()));
afterAll(() => api.stop());

test('the three patches change an object', async () => {
  await api.admin.send('POST', PODS, {
    body: { metadata: { name: 'p' }, spec: { containers: [{ name: 'a', image: '1' }] } },
  });
  const json = await patch(`${PODS}/p`, 'json-patch', [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }]);
  expect(valueAt(json.body, 'metadata', 'labels')).toEqual({ a: 'b' });
  const merge = await patch(`${PODS}/p`, 'merge-patch', { metadata: { labels: { a: null, c: 'd' } } });
  expect(valueAt(merge.body, 'metadata', 'labels')).toEqual({ c: 'd' });
  const strategic = await patch(`${PODS}/p`, 'strategic-merge-patch', {
    spec: { containers: [{ name: 'b', image: '2' }] },
  });
  expect(valueAt(strategic.body, 'spec', 'containers')).toEqual([
    { name: 'a', image: '1' },
    { name: 'b', image: '2' },
  ]);
});

test('a patch cannot change who an object is', async () => {
  await api.admin.send('POST', MAPS, { body: { metadata: { name: 'self' } } });
  expect((await patch(`${MAPS}/self`, 'merge-patch', { metadata: { name: 'other' } })).status).toBe(400);
  expect((await patch(`${MAPS}/self`, 'merge-patch', { metadata: { uid: 'other' } })).status).toBe(409);
  expect((await patch(`${MAPS}/self`, 'merge-patch', { metadata: { resourceVersion: '1' } })).status).toBe(409);
  expect((await patch(`${MAPS}/self`, 'merge-patch', { kind: 'Pod' })).status).toBe(400);
});

test('patches that fail say so', async () => {
  await api.admin.send('POST', MAPS, { body: { metadata: { name: 'fails' } } });
  expect((await patch(`${MAPS}/fails`, 'json-patch', [{ op: 'test', path: '/kind', value: 'x' }])).status).toBe(422);
  expect((await patch(`${MAPS}/fails`, 'json-patch', { op: 'add' })).status).toBe(400);
  expect((await patch(`${MAPS}/none`, 'merge-patch', {})).status).toBe(404);
  expect((await patch(`${MAPS}/fails`, 'odd-patch', {})).status).toBe(415);
  const widget = await patch('/apis/example.com/v1/namespaces/default/widgets/x', 'strategic-merge-patch', {});
  expect(widget.status).toBe(415);
});

test('server-side apply makes, changes and prunes, and conflicts unless forced', async () => {
  const made = await apply('one', 'data: {a: "1", b: "2"}');
  expect(made.status).toBe(201);
  const same = await apply('one', 'data: {a: "1", b: "2"}');
  expect(valueAt(same.body, 'metadata', 'resourceVersion')).toBe(valueAt(made.body, 'metadata', 'resourceVersion'));
  expect((await apply('one', 'data: {a: "1"}')).body['data']).toEqual({ a: '1' });
  const conflict = await apply('two', 'data: {a: "9"}');
  expect([conflict.status, conflict.body['message']]).toEqual([
    409,
    'Apply failed with 1 conflict: conflict with "one" using v1: .data.a',
  ]);
  expect(valueAt(conflict.body, 'details', 'causes')).toEqual([
    { reason: 'FieldManagerConflict', message: 'conflict with "one" using v1', field: '.data.a' },
  ]);
  const forced = await apply('two', 'data: {a: "9"}', '&force=true');
  expect(forced.body['data']).toEqual({ a: '9' });
});

test('labels that are no longer applied go', async () => {
  await apply('one', 'data: {}', '&force=true', 'labelled', 'labels: {x: "1"}');
  const less = await apply('one', 'data: {}', '&force=true', 'labelled');
  expect(valueAt(less.body, 'metadata', 'labels')).toBeUndefined();
});

test('server-side apply needs a manager', async () => {
  const type = 'application/apply-patch+yaml';
  const answer = await api.admin.send('PATCH', `${MAPS}/x`, { type, text: 'apiVersion: v1\nkind: ConfigMap' });
  expect([answer.status, stringAt(answer.body, 'message')]).toEqual([422, expect.stringContaining('fieldManager')]);
});

test('writers are written down by their name or program', async () => {
  const headers = { 'User-Agent': 'kubectl/v1.35 (linux)' };
  const answer = await api.admin.send('POST', MAPS, { body: { metadata: { name: 'who' }, data: { a: '1' } }, headers });
  expect(valueAt(answer.body, 'metadata', 'managedFields')).toMatchObject([
    { manager: 'kubectl', operation: 'Update', apiVersion: 'v1', fieldsV1: { 'f:data': { 'f:a': {} } } },
  ]);
});

function patch(path: string, type: string, body: Json) {
  return api.admin.send('PATCH', path, { type: `application/${type}+json`, body });
}

function apply(manager: string, text: string, query = '', name = 'applied', metadata = '') {
  const body = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  ${metadata}\n${text}\n`;
  const type = 'application/apply-patch+yaml';
  return api.admin.send('PATCH', `${MAPS}/${name}?fieldManager=${manager}${query}`, { type, text: body });
}
