import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KINDS, openKubeApi, type KubeApi } from '@fenestra/kube-api';
import { startKubelite, type Kubelite } from '@fenestra/kubelite';
import { silentLogger } from '@fenestra/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isJoined, leaveNode } from './leave-node.ts';

const { signal } = new AbortController();
let folder = '';
let kubelite: Kubelite;
let api: KubeApi;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cloudcore-'));
  const place = { folder, address: '127.0.0.1', port: 0 };
  kubelite = await startKubelite({ ...place, log: silentLogger(), now: () => new Date() }, signal);
  api = await openKubeApi({ kubeconfig: kubelite.cloudcoreKubeconfig });
});

afterAll(async () => {
  api.close();
  await kubelite.close();
  await rm(folder, { recursive: true });
});

test('the Node object that a machine made after it joined is removed when it leaves', async () => {
  await api.create(KINDS.node, { metadata: { name: 'own' } }, signal);
  expect(await leaveNode(api, { name: 'own', joinedAt: new Date(Date.now() - 60_000) }, signal)).toBe('removed');
  expect(isJoined(await api.find(KINDS.node, { name: 'own' }, signal))).toBe(false);
  expect(await leaveNode(api, { name: 'own', joinedAt: new Date() }, signal)).toBe('removed');
});

test('a Node object that was there before the machine joined stays, and its name is free', async () => {
  await api.create(KINDS.node, { metadata: { name: 'kept', labels: { rack: '7' } } }, signal);
  expect(isJoined(await api.find(KINDS.node, { name: 'kept' }, signal))).toBe(true);
  expect(await leaveNode(api, { name: 'kept', joinedAt: new Date(Date.now() + 60_000) }, signal)).toBe('marked');
  const node = await api.get(KINDS.node, { name: 'kept' }, signal);
  expect(node.metadata.labels).toMatchObject({ rack: '7' });
  expect(isJoined(node)).toBe(false);
});
