import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubeObject } from '@fenestra/kube-api';
import { startKubelite, type Kubelite } from '@fenestra/kubelite';
import { silentLogger } from '@fenestra/platform';
import { openManifestCluster, type ManifestCluster } from '@fenestra/worker/manifests/apply';
import { readRequest, windowsManifests } from '@fenestra/worker/manifests';
import { afterAll, beforeAll, expect, test } from 'vitest';

const { signal } = new AbortController();
let folder: string;
let kubelite: Kubelite;
let cluster: ManifestCluster;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'manifests-'));
  kubelite = await startKubelite(
    { folder, address: '127.0.0.1', port: 0, log: silentLogger(), now: () => new Date() },
    signal,
  );
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, kubelite.adminKubeconfig, { mode: 0o600 });
  cluster = await openManifestCluster(kubeconfig);
});
afterAll(async () => {
  cluster.close();
  await kubelite.close();
  await rm(folder, { recursive: true, force: true });
});

/** The kinds that the embedded API has. */
const KINDS = ['Namespace', 'ServiceAccount', 'ConfigMap'];

function objects(podSubnet: string): readonly KubeObject[] {
  const request = readRequest({
    version: undefined,
    network: 'none',
    hnsNetwork: undefined,
    images: [],
    serviceSubnet: undefined,
    podSubnet,
    apiServer: '10.0.0.5:6443',
    policies: false,
    wins: false,
  });
  return windowsManifests(request).objects.filter(({ kind }) => KINDS.includes(kind ?? ''));
}

async function apply(podSubnet: string, dryRun: boolean): Promise<readonly string[]> {
  const changes = await cluster.apply(objects(podSubnet), dryRun, signal);
  return changes.map(({ action, kind, namespace, name }) => `${action} ${kind} ${namespace ?? ''}/${name}`);
}

const OBJECTS = [
  'Namespace /kube-proxy-windows',
  'ServiceAccount kube-proxy-windows/kube-proxy-windows',
  'ConfigMap kube-proxy-windows/kube-proxy-windows',
];

test('a dry run shows what would be made, although its namespace is not there, and makes nothing', async () => {
  const wouldBeMade = OBJECTS.map((object) => `created ${object}`);
  expect(await apply('10.244.0.0/16', true)).toEqual(wouldBeMade);
  expect(await apply('10.244.0.0/16', true)).toEqual(wouldBeMade);
});

test('what is applied is there, the second time changes nothing, and a change changes one object', async () => {
  expect(await apply('10.244.0.0/16', false)).toEqual(OBJECTS.map((object) => `created ${object}`));
  expect(await apply('10.244.0.0/16', false)).toEqual(OBJECTS.map((object) => `unchanged ${object}`));
  const [namespace, account, files] = OBJECTS;
  const changed = [`unchanged ${namespace}`, `unchanged ${account}`, `updated ${files}`];
  expect(await apply('10.245.0.0/16', true)).toEqual(changed);
  expect(await apply('10.245.0.0/16', false)).toEqual(changed);
});

test('the version of the cluster is known', async () => {
  expect(await cluster.version(signal)).toMatch(/^v1\.\d+\.\d+/);
});
