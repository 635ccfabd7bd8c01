import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KINDS, openKubeApi, type KubeApi } from '@fenestra/kube-api';
import { startKubelite, type Kubelite } from '@fenestra/kubelite';
import { silentLogger } from '@fenestra/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isJoined, isTaken, leaveCloud, type LeaveOutcome } from './leave-node.ts';

const { signal } = new AbortController();
let folder = '';
let kubelite: Kubelite;
let api: KubeApi;
const ended: string[] = [];

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
  expect(await leave('own', new Date(Date.now() - 60_000))).toBe('removed');
  expect(isJoined(await api.find(KINDS.node, { name: 'own' }, signal))).toBe(false);
  expect(await leave('own', new Date())).toBe('removed');
});

test('a Node object that was there before the machine joined stays, and its name is free', async () => {
  await api.create(KINDS.node, { metadata: { name: 'kept', labels: { rack: '7' } } }, signal);
  expect(isJoined(await api.find(KINDS.node, { name: 'kept' }, signal))).toBe(true);
  expect(await leave('kept', new Date(Date.now() + 60_000))).toBe('marked');
  const node = await api.get(KINDS.node, { name: 'kept' }, signal);
  expect(node.metadata.labels).toMatchObject({ rack: '7' });
  expect(isJoined(node)).toBe(false);
});

test.each([
  ['taints', { spec: { taints: [{ key: 'quarantine', effect: 'NoExecute' }] } }],
  ['a cordon', { spec: { unschedulable: true } }],
  ['labels', { metadata: { labels: { 'node-restriction.kubernetes.io/zone': 'a' } } }],
])('a node does not get rid of %s of an administrator by leaving and coming back', async (_, change) => {
  const name = 'restricted';
  const labels = { 'node-role.kubernetes.io/edge': '' };
  await api.create(KINDS.node, { metadata: { name, labels } }, signal);
  await api.patch(KINDS.node, { name }, { type: 'merge', body: change }, signal);
  expect(await leave(name, new Date(Date.now() - 60_000))).toBe('marked');
  expect(await api.get(KINDS.node, { name }, signal)).toMatchObject(change);
  await api.delete(KINDS.node, { name }, {}, signal);
});

test('the name of a node with labels of an administrator stays taken when its machine leaves', async () => {
  const name = 'labelled';
  const labels = { 'node-role.kubernetes.io/edge': '', 'node-restriction.kubernetes.io/zone': 'a' };
  await api.create(KINDS.node, { metadata: { name, labels } }, signal);
  expect(await leave(name, new Date(Date.now() - 60_000))).toBe('marked');
  expect(isTaken(await api.find(KINDS.node, { name }, signal))).toBe(true);
  const body = { metadata: { labels: { 'node-restriction.kubernetes.io/zone': null } } };
  await api.patch(KINDS.node, { name }, { type: 'merge', body }, signal);
  expect(isTaken(await api.find(KINDS.node, { name }, signal))).toBe(false);
});

test('the conditions of a node do not keep its Node object', async () => {
  const taints = [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }];
  await api.create(KINDS.node, { metadata: { name: 'not-ready' }, spec: { taints } }, signal);
  expect(await leave('not-ready', new Date(Date.now() - 60_000))).toBe('removed');
});

test('hardware that was replaced does not end the session of the new one, nor remove or mark its Node object', async () => {
  await api.create(KINDS.node, { metadata: { name: 'replaced' } }, signal);
  expect(await leave('replaced', new Date(Date.now() - 60_000), 'new')).toBe('in use');
  expect(isJoined(await api.find(KINDS.node, { name: 'replaced' }, signal))).toBe(true);
  expect(ended).not.toContain('replaced');
  expect(await leave('replaced', new Date(Date.now() - 60_000), 'old')).toBe('removed');
  expect(ended).toContain('replaced');
});

test('a machine stays connected if the cloud cannot let it leave', async () => {
  const joinedAt = new Date();
  const aborted = AbortSignal.abort(new Error('too slow'));
  await expect(leave('stays', joinedAt, 'old', aborted)).rejects.toThrow('too slow');
  expect(ended).not.toContain('stays');
});

/** Leaves by a certificate with the key "old". */
async function leave(name: string, joinedAt: Date, connected?: string, within = signal): Promise<LeaveOutcome> {
  const sessions = { keyOf: () => connected, disconnect: (node: string) => void ended.push(node) };
  return leaveCloud({ api, sessions }, { name, joinedAt, keyHash: 'old' }, within);
}
