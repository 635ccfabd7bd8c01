import { KINDS } from '@fenestra/kube-api';
import { cloudManifests, installManifests } from '@fenestra/lifecycle/cloud';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startRecordingApi, type RecordingApi } from './testing/recording-api.ts';

const { signal } = new AbortController();
// The recording API does not establish kinds by itself: the manifests say that they are.
const established = { conditions: [{ type: 'Established', status: 'True' }] };
const manifests = cloudManifests({ embedded: false }).map((manifest) =>
  manifest.kind === 'CustomResourceDefinition' ? { ...manifest, status: established } : manifest,
);

let cluster: RecordingApi;
beforeEach(async () => {
  cluster = await startRecordingApi();
});
afterEach(() => cluster.close());

const actions = async (dryRun: boolean) =>
  new Set((await installManifests(cluster.api, { manifests, dryRun }, signal)).map(({ action }) => action));

test('a dry run shows what would be created and creates nothing', async () => {
  expect(await actions(true)).toEqual(new Set(['create']));
  expect(cluster.requests.every((request) => request.startsWith('GET'))).toBe(true);
});

test('a second installation changes nothing', async () => {
  expect(await actions(false)).toEqual(new Set(['create']));
  cluster.requests.length = 0;
  expect(await actions(false)).toEqual(new Set(['none']));
  expect(cluster.requests.every((request) => request.startsWith('GET'))).toBe(true);
  expect(cluster.names(KINDS.customResourceDefinition)).toContain(
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/clusterobjectsyncs.reliablesyncs.kubeedge.io',
  );
});

test('what was changed manually is put right, what was added is kept', async () => {
  await actions(false);
  const name = 'cloudcore';
  cluster.put(KINDS.clusterRole, { kind: 'ClusterRole', metadata: { name, labels: { mine: 'yes' } }, rules: [] });
  const changes = await installManifests(cluster.api, { manifests, dryRun: false }, signal);
  expect(changes.filter(({ action }) => action !== 'none')).toEqual([{ action: 'update', kind: 'ClusterRole', name }]);
  expect(cluster.get(KINDS.clusterRole, undefined, name)).toMatchObject({ metadata: { labels: { mine: 'yes' } } });
  expect(await actions(true)).toEqual(new Set(['none']));
});

test('the embedded API gets no roles', () => {
  const kinds = cloudManifests({ embedded: true }).map(({ kind }) => kind);
  expect(kinds).not.toContain('ClusterRole');
  expect(kinds).toContain('CustomResourceDefinition');
});
