import { EDGE_KINDS } from '@fenestra/contracts';
import { KINDS } from '@fenestra/kube-api';
import { silentLogger } from '@fenestra/platform';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { draftRecord, followRecords, recordKindOf } from '../sync/record-book.ts';
import { startRecordWriter } from '../sync/record-writer.ts';
import { type ClusterEvent, followCluster } from './cluster-view.ts';
import type { Running } from './controller.ts';
import { startOrphanCleaner } from './orphan-cleaner.ts';
import { eventually, settled } from './testing/controllers-bed.ts';
import { startRecordingApi, type RecordingApi } from './testing/recording-api.ts';

const QUICK = { shortestWaitMs: 1, longestWaitMs: 20, checkMs: 20 };
const POD = { apiVersion: 'v1', kind: 'Pod', namespace: 'ns', name: 'web', uid: 'pod-uid' };

let cluster: RecordingApi;
let life: AbortController;
let stopped: Promise<unknown>;

beforeEach(async () => {
  cluster = await startRecordingApi();
  life = new AbortController();
  stopped = Promise.resolve();
});
afterEach(async () => {
  life.abort();
  await stopped;
  await cluster.close();
});

function startCleaner(): void {
  const { api } = cluster;
  const log = silentLogger();
  const cleaner: { running?: Running } = {};
  const listener = {
    onEvent: (event: ClusterEvent) => cleaner.running?.onEvent?.(event),
    onTrouble: () => {},
  };
  const view = followCluster(api, listener, life.signal);
  const book = followRecords(api, () => {}, life.signal);
  const writer = startRecordWriter(api, book, log, life.signal);
  cleaner.running = startOrphanCleaner({ api, cluster: view, book, writer, log, signal: life.signal }, QUICK);
  stopped = Promise.all([view.stopped, book.stopped, writer.stopped]);
}

function putNode(name: string, uid: string): void {
  cluster.put(KINDS.node, { metadata: { name, uid } });
}

function putRecord(node: string, object: typeof POD | { kind: 'Node'; uid: string }): void {
  const recorded = 'namespace' in object ? object : { apiVersion: 'v1', namespace: undefined, name: node, ...object };
  cluster.put(recordKindOf(recorded), { ...draftRecord(node, recorded), status: { objectResourceVersion: '7' } });
}

const nodeRecords = () => cluster.names(EDGE_KINDS.clusterObjectSync).map((path) => path.split('/').at(-1));
const podRecords = () => cluster.names(EDGE_KINDS.objectSync).map((path) => path.split('/').at(-1));

test('after a node was deleted and registered again at once, only the record of its new uid stays', async () => {
  putNode('n1', 'old');
  putRecord('n1', { kind: 'Node', uid: 'old' });
  startCleaner();
  await settled();
  cluster.remove(KINDS.node, undefined, 'n1');
  putNode('n1', 'new');
  putRecord('n1', { kind: 'Node', uid: 'new' });
  await eventually(() => expect(nodeRecords()).toEqual(['n1.new']));
});

test('records of an old uid that are there at the start are removed, those of pods and of other nodes stay', async () => {
  putNode('n1', 'new');
  putNode('n.2', 'other');
  putRecord('n1', { kind: 'Node', uid: 'old' });
  putRecord('n1', { kind: 'Node', uid: 'new' });
  putRecord('n.2', { kind: 'Node', uid: 'other' });
  putRecord('n1', POD);
  startCleaner();
  await eventually(() => expect(new Set(nodeRecords())).toEqual(new Set(['n.2.other', 'n1.new'])));
  await settled();
  expect(new Set(nodeRecords())).toEqual(new Set(['n.2.other', 'n1.new']));
  expect(podRecords()).toEqual(['n1.pod-uid']);
});

test('a record of an old uid that is written late, by another replica, is removed too', async () => {
  putNode('n1', 'new');
  startCleaner();
  await settled();
  putRecord('n1', { kind: 'Node', uid: 'old' });
  await eventually(() => expect(nodeRecords()).toEqual([]));
});

test('all records of a node that is gone are removed', async () => {
  putRecord('n1', { kind: 'Node', uid: 'old' });
  putRecord('n1', POD);
  startCleaner();
  await eventually(() => expect([...nodeRecords(), ...podRecords()]).toEqual([]));
});
