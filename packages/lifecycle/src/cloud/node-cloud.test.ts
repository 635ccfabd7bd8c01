import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openNodeCloud, evictionVersion } from './node-cloud.ts';

const { signal } = new AbortController();
const requests: string[] = [];
const bodies: string[] = [];
const server = createServer((request, response) => void answer(request, response));
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  requests.push(`${request.method} ${request.url}`);
  const body = await text(request);
  if (body !== '') bodies.push(body);
  response.end(JSON.stringify({ gitVersion: 'v1.20.2', kind: 'Status' }));
}

let folder: string;
let kubeconfig: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'node-cloud-'));
  kubeconfig = join(folder, 'kubeconfig');
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const cluster = {
    server: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    'insecure-skip-tls-verify': true,
  };
  const config = {
    'current-context': 'c',
    clusters: [{ name: 'k', cluster }],
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
    users: [{ name: 'u', user: {} }],
  };
  await writeFile(kubeconfig, JSON.stringify(config), { mode: 0o600 });
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

test('an old cluster gets evictions in the version it knows, and is asked for its own only once', async () => {
  const cloud = await openNodeCloud(kubeconfig);
  for (const name of ['a', 'b'])
    await cloud.evict({ uid: `uid-${name}`, namespace: 'default', name, ending: false }, signal);
  cloud.close();
  expect(requests).toEqual([
    'GET /version',
    'POST /api/v1/namespaces/default/pods/a/eviction',
    'POST /api/v1/namespaces/default/pods/b/eviction',
  ]);
  expect(bodies.map((body) => JSON.parse(body))).toMatchObject([
    { apiVersion: 'policy/v1beta1', deleteOptions: { preconditions: { uid: 'uid-a' } } },
    { apiVersion: 'policy/v1beta1', deleteOptions: { preconditions: { uid: 'uid-b' } } },
  ]);
});

test.each([
  ['v1.20.2', 'policy/v1beta1'],
  ['v1.21.14-gke.2700', 'policy/v1beta1'],
  ['v1.22.0', 'policy/v1'],
  ['v1.33.1+k3s1', 'policy/v1'],
  ['v2.0.0', 'policy/v1'],
  ['whatever', 'policy/v1'],
])('a server of version %s takes evictions of %s', (version, expected) => {
  expect(evictionVersion(version)).toBe(expected);
});
