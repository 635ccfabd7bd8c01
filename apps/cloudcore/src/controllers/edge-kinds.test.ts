import { EDGE_KINDS, STORED_KINDS, SYNCED_KINDS, type EdgeKind } from '@fenestra/contracts';
import type { Json } from '@fenestra/kernel';
import { listAt, stringAt } from '@fenestra/kube-api';
import { cloudManifests } from '@fenestra/lifecycle/cloud';
import { expect, test } from 'vitest';
import { followRecords } from '../sync/record-book.ts';
import { followCluster } from './cluster-view.ts';
import { startRecordingApi } from './testing/recording-api.ts';

const manifests = cloudManifests({ embedded: false });
const rows: readonly EdgeKind[] = Object.values(EDGE_KINDS);
const textsAt = (rule: Json, field: string) => listAt(rule, field).map(String);
const lines = (group: string, resource: string, verbs: readonly string[]) =>
  verbs.map((verb) => `${verb} ${resource}.${group}`);

test('the ClusterRole grants the verbs of the table and no others', () => {
  const role = manifests.find(({ kind }) => kind === 'ClusterRole');
  const granted = listAt(role ?? null, 'rules').flatMap((rule) =>
    textsAt(rule, 'resources').flatMap((resource) =>
      lines(textsAt(rule, 'apiGroups').join(), resource, textsAt(rule, 'verbs')),
    ),
  );
  const wanted = rows.flatMap(({ group, plural, verbs = {} }) =>
    Object.entries(verbs).flatMap(([sub, list]) => lines(group, sub === '' ? plural : `${plural}/${sub}`, list)),
  );
  expect(granted.toSorted()).toEqual(wanted.toSorted());
});

test('the CRDs are the kinds of the table with a schema', () => {
  const installed = manifests
    .filter(({ kind }) => kind === 'CustomResourceDefinition')
    .map((definition) => [stringAt(definition, 'spec', 'group'), stringAt(definition, 'spec', 'names', 'kind')]);
  const wanted = rows.filter(({ schema }) => schema !== undefined).map(({ group, kind }) => [group, kind]);
  expect(installed).toEqual(wanted);
});

test('cloudcore follows the synchronised kinds of the table and the sync records', async () => {
  const cluster = await startRecordingApi();
  const life = new AbortController();
  const view = followCluster(cluster.api, { onEvent: () => {}, onTrouble: () => {} }, life.signal);
  const book = followRecords(cluster.api, () => {}, life.signal);
  await Promise.all([view.whenSynced(), book.whenSynced()]);
  const followed = new Set(cluster.requests.map((request) => /\/([a-z]+)(\?|$)/.exec(request)?.[1]));
  expect(followed).toEqual(
    new Set([...SYNCED_KINDS, EDGE_KINDS.objectSync, EDGE_KINDS.clusterObjectSync].map(({ plural }) => plural)),
  );
  life.abort();
  await Promise.all([view.stopped, book.stopped]);
  await cluster.close();
});

test('cloudcore may follow what it synchronises, and node agents store it', () => {
  for (const { type, verbs } of SYNCED_KINDS) {
    expect(verbs?.['']).toEqual(expect.arrayContaining(['get', 'list', 'watch']));
    expect(STORED_KINDS.has(type)).toBe(true);
  }
});
