import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EDGE_KINDS, newMessage } from '@fenestra/contracts';
import type { Json } from '@fenestra/kernel';
import { KINDS, openKubeApi, type KubeApi } from '@fenestra/kube-api';
import { startKubelite, type Kubelite } from '@fenestra/kubelite';
import { silentLogger } from '@fenestra/platform';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { cloudManifests, installManifests } from '@fenestra/lifecycle/cloud';
import type { TestNode } from '../testing/test-node.ts';
import { answerTo, startReplica, testAuthority, sentTo, type TestReplica } from './testing/test-controllers.ts';

const { signal } = new AbortController();
const manifests = cloudManifests({ embedded: true });
const soon = { timeout: 8_000, interval: 20 };
const cleanups: (() => unknown)[] = [];

let folder: string;
let kubelite: Kubelite;
let admin: KubeApi;
let replica: TestReplica;
let node: TestNode;

const startApi = (port: number): Promise<Kubelite> =>
  startKubelite({ folder, address: '127.0.0.1', port, log: silentLogger(), now: () => new Date() }, signal);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'controllers-'));
  kubelite = await startApi(0);
  admin = await openKubeApi({ kubeconfig: kubelite.adminKubeconfig });
  await installManifests(admin, { manifests, dryRun: false }, signal);
  const api = await openKubeApi({ kubeconfig: kubelite.cloudcoreKubeconfig });
  replica = await startReplica({ api }, await testAuthority());
  node = await replica.connect('n1');
  cleanups.push(
    () => replica.stop(),
    () => api.close(),
    () => admin.close(),
    () => kubelite.close(),
  );
});
afterAll(async () => {
  for (const cleanup of cleanups) await cleanup();
  await rm(folder, { recursive: true, force: true });
});

async function ask(operation: string, resource: string, content: Json = null): Promise<Json> {
  const message = newMessage({ source: 'edged', group: 'meta', operation, resource, content });
  node.send(message);
  await vi.waitFor(() => expect(answerTo(node, message)).toBeDefined(), soon);
  return answerTo(node, message)?.content ?? null;
}

const names = async (kind: typeof EDGE_KINDS.objectSync) =>
  (await admin.list(kind, {}, signal)).map(({ metadata }) => metadata.name);

test('what is installed is left alone the second time', async () => {
  const changes = await installManifests(admin, { manifests, dryRun: false }, signal);
  expect(new Set(changes.map(({ action }) => action))).toEqual(new Set(['none']));
});

test('a node registers, is given work, reports and gives it back', async () => {
  expect(await ask('insert', 'null/node/n1', { metadata: { name: 'n1' } })).toMatchObject({ Err: null });
  const patch = JSON.stringify({ status: { conditions: [{ type: 'Ready', status: 'True' }] } });
  expect(await ask('patch', 'null/nodepatch/n1', patch)).toMatchObject({ Err: null });
  const lease = { metadata: { name: 'n1', namespace: 'kube-node-lease' }, spec: { holderIdentity: 'n1' } };
  expect(await ask('insert', 'kube-node-lease/lease/n1', lease)).toMatchObject({ Err: null });

  const namespace = 'default';
  await admin.create(KINDS.configMap, { metadata: { namespace, name: 'app' }, data: { k: '1' } }, signal);
  const containers = [{ name: 'c', image: 'i', envFrom: [{ configMapRef: { name: 'app' } }] }];
  const draft = { metadata: { namespace, name: 'web' }, spec: { nodeName: 'n1', containers } };
  const { uid = '' } = (await admin.create(KINDS.pod, draft, signal)).metadata;
  await vi.waitFor(() => expect(sentTo(node)).toContain('insert default/pod/web'), soon);
  expect(sentTo(node)).toContain('insert default/configmap/app');

  const bound = { kind: 'Pod', apiVersion: 'v1', name: 'web', uid };
  const request = { spec: { audiences: [], expirationSeconds: 3600, boundObjectRef: bound } };
  expect(await ask('query', 'default/serviceaccounttoken/default', request)).toHaveProperty('status.token');
  expect(await ask('patch', 'default/podpatch/web', '{"status":{"phase":"Running"}}')).toMatchObject({
    Object: { status: { phase: 'Running' } },
    Err: null,
  });
  await vi.waitFor(async () => expect(await names(EDGE_KINDS.objectSync)).toContain(`n1.${uid}`), soon);
  expect(await names(EDGE_KINDS.clusterObjectSync)).toHaveLength(1);

  await admin.delete(KINDS.pod, { namespace, name: 'web' }, {}, signal);
  await vi.waitFor(() => expect(sentTo(node)).toContain('update default/pod/web'), soon);
  expect(await ask('delete', 'default/pod/web', { gracePeriodSeconds: 0, preconditions: { uid } })).toBe('OK');
  await vi.waitFor(() => expect(sentTo(node)).toContain('delete default/pod/web'), soon);
  await vi.waitFor(async () => expect(await names(EDGE_KINDS.objectSync)).not.toContain(`n1.${uid}`), soon);
});

test('the embedded API restarts: nothing is reported twice, and later changes arrive', async () => {
  const containers = [{ name: 'c', image: 'i', envFrom: [{ configMapRef: { name: 'app' } }] }];
  const draft = { metadata: { namespace: 'default', name: 'next' }, spec: { nodeName: 'n1', containers } };
  await admin.create(KINDS.pod, draft, signal);
  await vi.waitFor(() => expect(sentTo(node)).toContain('insert default/pod/next'), soon);
  const before = sentTo(node).length;
  await kubelite.close();
  kubelite = await startApi(Number(new URL(kubelite.url).port));
  const change = { type: 'merge', body: { data: { k: '2' } } } as const;
  await admin.patch(KINDS.configMap, { namespace: 'default', name: 'app' }, change, signal);
  await vi.waitFor(() => expect(sentTo(node)).toHaveLength(before + 1), soon);
  expect(sentTo(node).at(-1)).toBe('update default/configmap/app');
});
