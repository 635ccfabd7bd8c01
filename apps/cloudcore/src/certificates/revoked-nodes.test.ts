import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REVOCATIONS_SECRET } from '@fenestra/contracts';
import { openKubeApi, type KubeApi } from '@fenestra/kube-api';
import { startKubelite, type Kubelite } from '@fenestra/kubelite';
import { kubernetesSecrets, openNodeKeys, openRevocations } from '@fenestra/lifecycle/cloud';
import { silentLogger } from '@fenestra/platform';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { followRevokedNodes, type RevokedNodes } from './revoked-nodes.ts';

const life = new AbortController();
const { signal } = new AbortController();
let folder = '';
let kubelite: Kubelite;
let api: KubeApi;
let replicas: readonly KubeApi[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cloudcore-'));
  const place = { folder, address: '127.0.0.1', port: 0 };
  kubelite = await startKubelite({ ...place, log: silentLogger(), now: () => new Date() }, signal);
  const kubeconfig = kubelite.cloudcoreKubeconfig;
  api = await openKubeApi({ kubeconfig: kubelite.adminKubeconfig });
  replicas = await Promise.all([openKubeApi({ kubeconfig }), openKubeApi({ kubeconfig })]);
});

afterAll(async () => {
  life.abort();
  for (const each of [api, ...replicas]) each.close();
  await kubelite.close();
  await rm(folder, { recursive: true });
});

test('every replica learns that a node is revoked, re-admitted and trusted again, also one that starts later', async () => {
  const followers = replicas.map((replica) => followRevokedNodes(replica, silentLogger(), life.signal));
  await Promise.all(followers.map(async (follower) => follower.whenRead()));
  const revocations = openRevocations(kubernetesSecrets(api, 'kubeedge'));
  const expectAll = async (node: string, key: string, revoked: boolean, all: readonly RevokedNodes[] = followers) =>
    vi.waitFor(() => expect(all.map((each) => each.isRevoked(node, key))).toEqual(all.map(() => revoked)), 5_000);

  await expectAll('edge-1', 'old', false);
  await revocations.revoke('edge-1', { now: new Date(), reason: 'stolen' }, signal);
  await expectAll('edge-1', 'old', true);
  await expectAll('edge-2', 'old', false);

  const { id = '' } = (await revocations.find('edge-1', signal)) ?? {};
  expect(await revocations.accept('edge-1', { revocation: id, keyHash: 'new' }, signal)).toBe(true);
  expect(await revocations.accept('edge-1', { revocation: 'earlier', keyHash: 'thief' }, signal)).toBe(false);
  await expectAll('edge-1', 'new', false);
  await expectAll('edge-1', 'old', true);
  const late = followRevokedNodes(api, silentLogger(), life.signal);
  await late.whenRead();
  await expectAll('edge-1', 'old', true, [late]);

  await revocations.lift('edge-1', signal);
  await expectAll('edge-1', 'old', false);
});

test('a node called like a method of objects is neither revoked by accident nor left out', async () => {
  const revocations = openRevocations(kubernetesSecrets(api, 'kubeedge'));
  expect(await revocations.find('constructor', signal)).toBeUndefined();
  await revocations.lift('constructor', signal);
  await revocations.revoke('constructor', { now: new Date() }, signal);
  expect(await revocations.find('constructor', signal)).toMatchObject({ acceptedKeys: [] });
});

test('an entry that cannot be read revokes', async () => {
  const store = kubernetesSecrets(api, 'kubeedge');
  await store.update(REVOCATIONS_SECRET, (data) => ({ ...data, damaged: Buffer.from('{') }), signal);
  const follower = followRevokedNodes(api, silentLogger(), life.signal);
  await follower.whenRead();
  expect(follower.isRevoked('damaged', 'any')).toBe(true);
});

test('every replica learns that a join by a token for a name has replaced the keys of that node', async () => {
  const [oldKey, newKey, nextKey] = ['a'.repeat(64), 'b'.repeat(64), 'c'.repeat(64)] as const;
  const followers = replicas.map((replica) => followRevokedNodes(replica, silentLogger(), life.signal));
  await Promise.all(followers.map(async (follower) => follower.whenRead()));
  let changes = 0;
  followers[0]?.onChange(() => (changes += 1));
  const keys = openNodeKeys(kubernetesSecrets(api, 'kubeedge'));
  const revoked = (key: string): readonly boolean[] => followers.map((each) => each.isRevoked('constructor-1', key));
  expect(await keys.add('constructor-1', { keyHash: oldKey }, signal)).toBe(true);
  expect(revoked(oldKey)).toEqual([false, false]);
  await keys.replace('constructor-1', newKey, signal);
  await vi.waitFor(() => expect(revoked(oldKey)).toEqual([true, true]), 5_000);
  expect(revoked(newKey)).toEqual([false, false]);
  expect(await keys.add('constructor-1', { keyHash: nextKey, proved: oldKey }, signal)).toBe(false);
  expect(await keys.add('constructor-1', { keyHash: nextKey, proved: newKey }, signal)).toBe(true);
  await vi.waitFor(() => expect(revoked(nextKey)).toEqual([false, false]), 5_000);
  expect(changes).toBe(2);
  await keys.forget('constructor-1', signal);
  await vi.waitFor(() => expect(revoked(oldKey)).toEqual([false, false]), 5_000);
});
