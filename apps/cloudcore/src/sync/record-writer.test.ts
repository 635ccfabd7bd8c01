import { EDGE_KINDS } from '@fenestra/contracts';
import { KINDS, valueAt } from '@fenestra/kube-api';
import { silentLogger } from '@fenestra/platform';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startRecordingApi, type RecordingApi } from '../controllers/testing/recording-api.ts';
import { startRecordWriter, type RecordWriter } from './record-writer.ts';
import { readRecord } from './record-book.ts';

const POD = { apiVersion: 'v1', kind: 'Pod', namespace: 'ns', name: 'web', uid: 'u1' };
const NODE = { apiVersion: 'v1', kind: 'Node', namespace: undefined, name: 'n.1', uid: 'u2' };

let cluster: RecordingApi;
let writer: RecordWriter;
let life: AbortController;

beforeEach(async () => {
  cluster = await startRecordingApi();
  life = new AbortController();
  const known = {
    find: () => {
      const record = cluster.get(EDGE_KINDS.objectSync, 'ns', 'n.1.u1');
      return record === undefined ? undefined : readRecord({ metadata: { name: 'n.1.u1' } });
    },
  };
  writer = startRecordWriter(cluster.api, known, silentLogger(), life.signal);
});
afterEach(async () => {
  life.abort();
  await writer.stopped;
  await cluster.close();
});

const version = () =>
  valueAt(cluster.get(EDGE_KINDS.objectSync, 'ns', 'n.1.u1') ?? null, 'status', 'objectResourceVersion');
const idle = () => vi.waitFor(() => expect(writer.pending).toBe(0), { timeout: 4_000 });

test('a record is made, then changed, with one call for each later version', async () => {
  writer.acknowledged('n.1', POD, '7');
  expect(writer.pendingVersion('n.1', 'u1')).toBe('7');
  await idle();
  expect(version()).toBe('7');
  writer.acknowledged('n.1', POD, '8');
  await idle();
  expect(version()).toBe('8');
  expect(cluster.requests.map((request) => request.split(' ')[0])).toEqual(['POST', 'PATCH', 'PATCH']);
});

test('many versions of one object in a row cost few calls, and the last one counts', async () => {
  for (let step = 1; step <= 500; step++) writer.acknowledged('n.1', POD, String(step));
  await idle();
  expect(version()).toBe('500');
  expect(cluster.requests.length).toBeLessThanOrEqual(4);
});

test('a record of a cluster-wide object has no namespace; forgetting removes it, and absence is fine', async () => {
  writer.acknowledged('n.1', NODE, '7');
  await idle();
  expect(cluster.get(EDGE_KINDS.clusterObjectSync, undefined, 'n.1.u2')).toMatchObject({ spec: { objectName: 'n.1' } });
  writer.forgotten('n.1', NODE);
  writer.forgotten('n.1', POD);
  await idle();
  expect(cluster.names(EDGE_KINDS.clusterObjectSync)).toEqual([]);
});

test('while the API server is away records wait, and are written when it is back', async () => {
  cluster.refuseWith = 503;
  writer.acknowledged('n.1', POD, '7');
  await new Promise((resolve) => setTimeout(resolve, 50));
  writer.acknowledged('n.1', POD, '8');
  expect(writer.pending).toBeGreaterThan(0);
  cluster.refuseWith = undefined;
  await idle();
  expect(version()).toBe('8');
});

test('what is pending can be waited for, though not for ever', async () => {
  for (let step = 1; step <= 50; step++) writer.acknowledged('n.1', { ...POD, uid: `u${step}` }, '7');
  await writer.drain(AbortSignal.timeout(4_000));
  expect(cluster.names(EDGE_KINDS.objectSync)).toHaveLength(50);
  cluster.refuseWith = 503;
  writer.acknowledged('n.1', POD, '8');
  await writer.drain(AbortSignal.timeout(50));
  expect(writer.pending).toBe(1);
});

test('a record that may not be written is dropped, not tried for ever', async () => {
  cluster.refuseWith = 403;
  writer.acknowledged('n.1', POD, '7');
  await idle();
  expect(cluster.requests).toHaveLength(1);
  expect(cluster.names(KINDS.pod)).toEqual([]);
});
