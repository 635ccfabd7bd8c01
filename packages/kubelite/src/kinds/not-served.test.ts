import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@fenestra/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startKubelite, type Kubelite } from '../kubelite.ts';
import type { KeyPair } from '../identity/open-identity.ts';
import { stringAt, type JsonObject } from '../objects/json.ts';
import { testClient, type TestClient } from '../testing/test-client.ts';
import { createExtensions } from './extensions.ts';

const folder = mkdtempSync(join(tmpdir(), 'kubelite-not-served-'));
const DEFAULT = '/api/v1/namespaces/default';
const UPGRADE = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'AA==',
};

let api: Kubelite;
let admin: TestClient;

beforeAll(async () => {
  const identities: KeyPair[] = [];
  const options = { folder, address: '127.0.0.1', port: 0, log: silentLogger(), now: () => new Date() };
  api = await startKubelite(options, new AbortController().signal, (context) => {
    identities.push(context.identity.admin);
    return createExtensions(context);
  });
  admin = testClient(api.url, api.caCertificate, identities[0]);
});
afterAll(async () => {
  admin.close();
  await api.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  [
    'POST',
    '/apis/apps/v1/namespaces/default/deployments',
    404,
    'does not serve deployments.apps: it runs no controllers',
  ],
  ['GET', '/apis/batch/v1/jobs', 404, 'does not serve jobs.batch'],
  ['GET', '/apis/policy/v1/poddisruptionbudgets', 404, 'it has no disruption budgets'],
  ['GET', `${DEFAULT}/persistentvolumeclaims/a`, 404, 'does not serve persistentvolumeclaims'],
  ['GET', `${DEFAULT}/pods/web/log`, 405, 'Reading logs of containers is not supported by the embedded API yet'],
  ['POST', `${DEFAULT}/pods/web/exec?command=sh`, 405, 'Running commands in containers is not supported'],
  ['GET', '/apis/example.com/v1/widgets', 404, 'the server could not find the requested resource'],
  ['GET', '/apis/toString/v1/widgets', 404, 'the server could not find the requested resource'],
])('%s %s is answered with %i: %s', async (method, path, status, message) => {
  const answer = await admin.send(method, path);
  expect([answer.status, answer.body['kind']]).toEqual([status, 'Status']);
  expect(answer.body['message']).toContain(message);
});

test('a client that would upgrade the connection to run a command gets the same explanation', async () => {
  const answer = await admin.send('GET', `${DEFAULT}/pods/web/exec?command=sh`, { headers: UPGRADE });
  expect([answer.status, stringAt(answer.body, 'reason')]).toEqual([405, 'MethodNotAllowed']);
});

test('what nothing acts on is accepted with a warning', async () => {
  const ports = [{ port: 80 }];
  const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }];
  const pod = { metadata: { name: 'web' }, spec: { containers: [{ name: 'c', image: 'i' }], volumes } };
  const service = { metadata: { name: 'web' }, spec: { ports } };
  const stored = '299 - "the embedded API only stores Services: no address is assigned and no traffic is forwarded"';
  expect(await warnings('POST', `${DEFAULT}/services`, service)).toBe(stored);
  expect(await warnings('PUT', `${DEFAULT}/services/web`, service)).toBe(stored);
  expect(await warnings('POST', `${DEFAULT}/pods`, pod)).toContain(String.raw`PersistentVolumeClaim \"data\"`);
  expect(await warnings('POST', `${DEFAULT}/configmaps`, { ...pod, metadata: { name: 'plain' } })).toContain('unknown');
  expect(
    await warnings('POST', `${DEFAULT}/configmaps?fieldValidation=Ignore`, { ...pod, metadata: { name: 'a' } }),
  ).toBe(undefined);
});

async function warnings(method: string, path: string, body: JsonObject): Promise<unknown> {
  return (await admin.send(method, path, { body })).headers['warning'];
}
