import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKubeApi, type KubeApi } from '@fenestra/kube-api';
import { startKubelite, type Kubelite } from '@fenestra/kubelite';
import { silentLogger } from '@fenestra/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kubernetesSecrets } from '@fenestra/lifecycle/cloud';

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

test('kubernetesSecrets: an absent secret is undefined, and the namespace is made when it is missing', async () => {
  const store = kubernetesSecrets(api, 'kubeedge');
  expect(await store.read('absent', signal)).toBeUndefined();
  await store.update('first', () => ({ bytes: Buffer.from([0, 255, 10]) }), signal);
  expect(await store.read('first', signal)).toEqual({ bytes: Buffer.from([0, 255, 10]) });
});

test('kubernetesSecrets: replicas that change one secret at the same time lose nothing of each other', async () => {
  const store = kubernetesSecrets(api, 'kubeedge');
  const names = ['a', 'b', 'c', 'd', 'e'];
  await Promise.all(
    names.map(async (name) => store.update('shared', (current) => ({ ...current, [name]: Buffer.from(name) }), signal)),
  );
  expect(Object.keys((await store.read('shared', signal)) ?? {}).toSorted()).toEqual(names);
});
