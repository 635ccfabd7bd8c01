import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@fenestra/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startKubelite, type Kubelite } from '../kubelite.ts';
import { makeLeaf } from '../identity/certificates.ts';
import { createExtensions } from '../kinds/extensions.ts';
import type { ExtensionContext } from '../objects/extensions.ts';
import type { Json, JsonObject } from '../objects/json.ts';
import { stringAt } from '../objects/json.ts';
import { testClient, type TestAnswer, type TestClient } from '../testing/test-client.ts';

const folder = mkdtempSync(join(tmpdir(), 'kubelite-node-'));
const PODS = '/api/v1/namespaces/default/pods';
const EVENTS = '/api/v1/namespaces/default/events';
const MERGE = { type: 'application/merge-patch+json' };

let api: Kubelite;
let admin: TestClient;
let node: TestClient;

beforeAll(async () => {
  const contexts: ExtensionContext[] = [];
  const keep = (context: ExtensionContext) => {
    contexts.push(context);
    return createExtensions(context);
  };
  const options = { folder, address: '127.0.0.1', port: 0, log: silentLogger(), now: () => new Date() };
  api = await startKubelite(options, new AbortController().signal, keep);
  const [context] = contexts;
  if (!context) throw new Error('the extensions were not asked for');
  const { identity } = context;
  const subject = { commonName: 'system:node:edge-1', organizations: ['system:nodes'], alternativeNames: [] };
  const certificate = await makeLeaf(identity.ca, { ...subject, usage: 'client' }, new Date());
  admin = testClient(api.url, api.caCertificate, identity.admin);
  node = testClient(api.url, api.caCertificate, certificate);
  await make(admin, '/api/v1/nodes', { metadata: { name: 'edge-1' } });
  await make(admin, '/api/v1/namespaces/default/secrets', { metadata: { name: 'key' }, stringData: { a: 'b' } });
  await make(admin, PODS, pod('theirs', { nodeName: 'edge-2' }));
  await make(admin, PODS, pod('mine', { nodeName: 'edge-1' }));
  await make(admin, EVENTS, event('theirs', 'edge-2'));
});
afterAll(async () => {
  admin.close();
  node.close();
  await api.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  { volumes: [{ name: 'v', iscsi: { targetPortal: 'a', iqn: 'b', lun: 0, secretRef: { name: 'key' } } }] },
  { volumes: [{ name: 'v', projected: { sources: [{ secret: { name: 'key' } }] } }] },
  { imagePullSecrets: [{ name: 'key' }] },
  { containers: [{ name: 'c', image: 'i', envFrom: [{ secretRef: { name: 'key' } }] }] },
  {
    initContainers: [
      { name: 'i', image: 'i', env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'key', key: 'a' } } }] },
    ],
  },
  { serviceAccountName: 'default' },
  { serviceAccount: 'default' },
])('a node makes no mirror pod with the spec %j, and reads no Secret by it', async (spec) => {
  const answer = await node.send('POST', PODS, { body: await mirror('thief', spec) });
  expect([answer.status, answer.body['message']]).toEqual([403, expect.stringContaining('reference a ')]);
  expect((await node.send('GET', '/api/v1/namespaces/default/secrets/key')).status).toBe(403);
});

test('a mirror pod without references is accepted, has no service account, and gives access to nothing', async () => {
  const made = await make(node, PODS, await mirror('shown', {}));
  expect(made).not.toHaveProperty('spec.serviceAccountName');
  await make(
    admin,
    PODS,
    await mirror('planted', { imagePullSecrets: [{ name: 'key' }], serviceAccountName: 'other' }),
  );
  expect((await node.send('GET', '/api/v1/namespaces/default/secrets/key')).status).toBe(403);
  expect((await node.send('GET', '/api/v1/namespaces/default/serviceaccounts/other')).status).toBe(403);
  const unmark = { body: { metadata: { annotations: { 'kubernetes.io/config.mirror': null } } }, ...MERGE };
  expect((await node.send('PATCH', `${PODS}/planted/status`, unmark)).status).toBe(422);
});

test.each([
  String.raw`fieldSelector=metadata.name=x\,spec.nodeName=edge-1`,
  String.raw`fieldSelector=spec.nodeName\=edge-1`,
  String.raw`fieldSelector=spec.nodeName!=x\,spec.nodeName=edge-1`,
  'fieldSelector=spec.nodeName!=edge-1',
  'fieldSelector=spec.nodeName=edge-2&fieldSelector=spec.nodeName=edge-1',
  'labelSelector=spec.nodeName=edge-1',
])('a node that lists, watches or deletes pods by %s sees none of another node', async (query) => {
  const text = encodeURI(query);
  for (const path of [
    `/api/v1/pods?${text}`,
    `${PODS}?${text}`,
    `${PODS}?watch=1&${text}`,
    `${PODS}/theirs?watch=1&${text}`,
  ]) {
    const answer = await node.send('GET', path);
    expect([path, answer.status >= 400, answer.text.includes('"edge-2"')]).toEqual([path, true, false]);
  }
  expect((await node.send('DELETE', `${PODS}?${text}`)).status).toBeGreaterThanOrEqual(400);
});

test('a watch by name keeps the selector it was allowed for', async () => {
  const query = 'watch=1&timeoutSeconds=1&fieldSelector=spec.nodeName%3Dedge-1';
  const theirs = await node.send('GET', `${PODS}/theirs?${query}`);
  expect([theirs.status, theirs.text]).toEqual([200, '']);
  const mine = await node.send('GET', `${PODS}/mine?${query}`);
  expect(mine.text).toContain('"name":"mine"');
});

test('a name in the path is a name and no selector', async () => {
  const injected = encodeURIComponent('key,metadata.namespace=default');
  expect((await node.send('GET', `/api/v1/namespaces/default/secrets/${injected}?watch=1`)).status).toBe(403);
  const all = await admin.send('GET', `${PODS}/${injected}?watch=1&timeoutSeconds=1`);
  expect([all.status, all.text]).toEqual([200, '']);
});

test('selectors mean nothing where a request does not select', async () => {
  const query = 'fieldSelector=metadata.name%3Dedge-1';
  expect((await node.send('GET', `/api/v1/nodes/edge-2?${query}`)).status).toBe(403);
  expect((await node.send('PATCH', `/api/v1/nodes/edge-2?${query}`, { body: {}, ...MERGE })).status).toBe(403);
  expect((await node.send('DELETE', `/api/v1/nodes?${query}`)).status).toBe(403);
});

test("a node neither changes another node's event nor replaces it by one of the same name", async () => {
  const change = { body: { source: { host: 'edge-1' }, message: 'forged' }, ...MERGE };
  expect((await node.send('PATCH', `${EVENTS}/theirs`, change)).status).toBe(403);
  const newer = '/apis/events.k8s.io/v1/namespaces/default/events';
  await make(node, newer, {
    metadata: { name: 'theirs' },
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingController: 'kubelet',
    reportingInstance: 'edge-1',
    action: 'Forge',
    reason: 'Forge',
    regarding: { kind: 'Node', name: 'edge-1' },
    note: 'forged',
  });
  await make(node, EVENTS, event('mine', 'edge-1'));
  expect((await admin.send('GET', `${EVENTS}/theirs`)).body['message']).toBe('true');
});

test('a node writes events about itself and its own pods only', async () => {
  expect(await about('a', podNamed('mine'))).toBe(201);
  expect(await about('b', podNamed('theirs'))).toBe(403);
  expect(await about('c', podNamed('unknown'))).toBe(403);
  expect(await about('d', podNamed('static-edge-1'))).toBe(201);
  expect(await about('e', { kind: 'Node', name: 'edge-1' })).toBe(201);
  expect(await about('f', { kind: 'Node', name: 'edge-2' })).toBe(403);
  expect(await about('g', { kind: 'Secret', namespace: 'default', name: 'key' })).toBe(403);
});

test('a node sets no label that schedules pods of others on it', async () => {
  expect((await setLabel('node-role.kubernetes.io/control-plane')).status).toBe(403);
  expect((await setLabel('example.com/rack')).status).toBe(200);
  const labels = { 'node-restriction.kubernetes.io/zone': 'a' };
  const apply = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'edge-1', labels } };
  const path = '/api/v1/nodes/edge-1?fieldManager=node';
  for (const url of [path, path.replace('?', '/status?')]) {
    expect((await node.send('PATCH', url, { body: { metadata: { labels } }, ...MERGE })).status).toBe(403);
    expect((await node.send('PATCH', url, { body: apply, type: 'application/apply-patch+yaml' })).status).toBe(403);
  }
});

async function setLabel(name: string): Promise<TestAnswer> {
  return node.send('PATCH', '/api/v1/nodes/edge-1', { body: { metadata: { labels: { [name]: '' } } }, ...MERGE });
}

async function make(client: TestClient, path: string, body: Json): Promise<JsonObject> {
  const answer = await client.send('POST', path, { body });
  expect([answer.status, stringAt(answer.body, 'message')]).toEqual([201, stringAt(answer.body, 'message')]);
  return answer.body;
}

function pod(name: string, spec: JsonObject): JsonObject {
  return { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } };
}

async function mirror(name: string, spec: JsonObject): Promise<JsonObject> {
  const uid = stringAt((await admin.send('GET', '/api/v1/nodes/edge-1')).body, 'metadata', 'uid');
  const owner = { apiVersion: 'v1', kind: 'Node', name: 'edge-1', uid, controller: true };
  const metadata = { name, annotations: { 'kubernetes.io/config.mirror': 'x' }, ownerReferences: [owner] };
  return { ...pod(name, { nodeName: 'edge-1', ...spec }), metadata };
}

/** The answer to an event of the node about something. */
async function about(name: string, involvedObject: JsonObject): Promise<number> {
  return (await node.send('POST', EVENTS, { body: { ...event(name, 'edge-1'), involvedObject } })).status;
}

const podNamed = (name: string): JsonObject => ({ kind: 'Pod', namespace: 'default', name });

function event(name: string, host: string): JsonObject {
  const involvedObject = podNamed(name);
  return { metadata: { name }, involvedObject, message: 'true', source: { component: 'kubelet', host } };
}
