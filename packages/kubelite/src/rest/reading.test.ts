import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAt, stringAt, type JsonObject } from '../objects/json.ts';
import { startTestApi, type TestApi } from '../testing/test-api.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const PODS = '/api/v1/namespaces/default/pods';
let api: TestApi;

beforeAll(async () => void (api = await startTestApi()));
afterAll(() => api.stop());

test('lists go page by page through selectors, and a collection can be deleted by one', async () => {
  for (const n of [1, 2, 3, 4, 5]) {
    const labels = { set: 'pages', odd: String(n % 2) };
    await api.admin.send('POST', MAPS, { body: { ...map(`page-${n}`), metadata: { name: `page-${n}`, labels } } });
  }
  const selector = 'labelSelector=set%3Dpages';
  const names: string[] = [];
  let next = '';
  do {
    const page = await api.admin.send('GET', `${MAPS}?${selector}&limit=2${next && `&continue=${next}`}`);
    expect(page.body['kind']).toBe('ConfigMapList');
    names.push(...listAt(page.body, 'items').map((item) => stringAt(item, 'metadata', 'name')));
    next = stringAt(page.body, 'metadata', 'continue');
  } while (next !== '');
  expect(names).toEqual(['page-1', 'page-2', 'page-3', 'page-4', 'page-5']);
  await api.admin.send('DELETE', `${MAPS}?labelSelector=set%3Dpages,odd%3D1`);
  const left = await api.admin.send('GET', `${MAPS}?${selector}`);
  expect(listAt(left.body, 'items').map((item) => stringAt(item, 'metadata', 'name'))).toEqual(['page-2', 'page-4']);
});

test('field selectors work for the fields the kind has, and only those', async () => {
  await api.admin.send('POST', PODS, { body: { ...pod('on-n1'), spec: { nodeName: 'n1' } } });
  const found = await api.admin.send('GET', `/api/v1/pods?fieldSelector=spec.nodeName%3Dn1`);
  expect(listAt(found.body, 'items')).toHaveLength(1);
  const refused = await api.admin.send('GET', `${PODS}?fieldSelector=spec.other%3Dx`);
  expect(refused.body['message']).toBe('field label not supported: spec.other');
});

test('a version from the future is a 504, an exact one that is gone a 410', async () => {
  const future = await api.admin.send('GET', `${MAPS}?resourceVersion=999999999&resourceVersionMatch=NotOlderThan`);
  expect(future.status).toBe(504);
  const gone = await api.admin.send('GET', `${MAPS}?resourceVersion=1&resourceVersionMatch=Exact`);
  expect([gone.status, gone.body['reason']]).toEqual([410, 'Expired']);
});

test('YAML comes in and goes out', async () => {
  const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: yaml}\ndata: {a: "1"}\n';
  expect((await api.admin.send('POST', MAPS, { text, type: 'application/yaml' })).status).toBe(201);
  const answer = await api.admin.send('GET', `${MAPS}/yaml`, { headers: { Accept: 'application/yaml' } });
  expect(answer.headers['content-type']).toBe('application/yaml');
  expect(answer.text).toContain('kind: ConfigMap');
});

test('a body we do not read is a 415, an answer we do not write a 406, and JSON beside protobuf is taken', async () => {
  const protobuf = 'application/vnd.kubernetes.protobuf';
  expect((await api.admin.send('POST', MAPS, { text: 'x', type: 'application/cbor' })).status).toBe(415);
  expect((await api.admin.send('POST', MAPS, { text: 'k8s', type: protobuf })).status).toBe(400);
  expect((await api.admin.send('GET', MAPS, { headers: { Accept: protobuf } })).status).toBe(406);
  const both = await api.admin.send('GET', MAPS, { headers: { Accept: `${protobuf},application/json` } });
  expect(both.headers['content-type']).toBe('application/json');
});

test('tables and bare metadata come for those who ask', async () => {
  const table = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
  expect((await api.admin.send('GET', MAPS, { headers: { Accept: table } })).body['kind']).toBe('Table');
  const partial = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
  const list = await api.admin.send('GET', MAPS, { headers: { Accept: partial } });
  expect(list.body['kind']).toBe('PartialObjectMetadataList');
  expect(Object.keys(listAt(list.body, 'items')[0] ?? {})).toEqual(['kind', 'apiVersion', 'metadata']);
});

test('versions of one resource share their objects', async () => {
  const body = { apiVersion: 'example.com/v2', kind: 'Widget', metadata: { name: 'w' }, spec: { a: 1 } };
  await api.admin.send('POST', '/apis/example.com/v2/namespaces/default/widgets', { body });
  const old = await api.admin.send('GET', '/apis/example.com/v1/namespaces/default/widgets/w');
  expect([old.body['apiVersion'], old.body['spec']]).toEqual(['example.com/v1', { a: 1 }]);
  const list = await api.admin.send('GET', '/apis/example.com/v2/widgets');
  expect(listAt(list.body, 'items').map((item) => stringAt(item, 'apiVersion'))).toEqual(['example.com/v2']);
});

function map(name: string, data: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
}

function pod(name: string): JsonObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: {} };
}
