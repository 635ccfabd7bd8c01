import { EDGE_KINDS } from '@fenestra/contracts';
import { KINDS, stringAt, valueAt } from '@fenestra/kube-api';
import { expect, test } from 'vitest';
import { answered, ask, codeOf, controllersBed, eventually, settled } from '../testing/controllers-bed.ts';
import { sentTo } from '../testing/test-controllers.ts';

const { cluster, replica, putPod } = controllersBed();
const records = () =>
  [
    ...cluster()
      .names(EDGE_KINDS.objectSync)
      .map((path) => cluster().get(EDGE_KINDS.objectSync, 'ns', path.split('/').at(-1) ?? '')),
    ...cluster()
      .names(EDGE_KINDS.clusterObjectSync)
      .map((path) => cluster().get(EDGE_KINDS.clusterObjectSync, undefined, path.split('/').at(-1) ?? '')),
  ].map((record) => stringAt(record, 'status', 'objectResourceVersion'));
const acknowledged = () => records().filter((version) => Number(version) > 0).length;
const written = (count: number) => eventually(() => expect(acknowledged()).toBe(count));

test('a node gets its pod, what the pod needs before it, and nothing of others', async () => {
  putPod();
  const { connect } = await replica();
  const [one, two] = [await connect('n1'), await connect('n2')];
  await eventually(() => expect([sentTo(one), sentTo(two)].map(({ length }) => length)).toEqual([4, 1]));
  await settled();
  expect(sentTo(one).toSorted()).toEqual(
    ['update null/node/n1', 'insert ns/configmap/app', 'update ns/secret/key', 'insert ns/pod/web'].toSorted(),
  );
  expect(sentTo(two)).toEqual(['update null/node/n2']);
  expect(one.received[0]?.route).toMatchObject({ source: 'edgecontroller', group: 'resource' });
});

test('changes go to the nodes they concern, a change of status alone to no node', async () => {
  const { connect } = await replica();
  const [one, two] = [await connect('n1'), await connect('n2')];
  await eventually(() => expect([sentTo(one), sentTo(two)].map(({ length }) => length)).toEqual([1, 1]));
  putPod();
  await eventually(() => expect(sentTo(one)).toHaveLength(4));
  expect(sentTo(one).slice(1)).toEqual(['insert ns/configmap/app', 'update ns/secret/key', 'insert ns/pod/web']);
  putPod({}, { status: { phase: 'Running' } });
  await settled();
  expect(sentTo(one)).toHaveLength(4);
  putPod({ hostname: 'h' });
  cluster().put(KINDS.configMap, { metadata: { namespace: 'ns', name: 'app' }, data: { k: '2' } });
  cluster().put(KINDS.secret, { metadata: { namespace: 'ns', name: 'other' }, data: { x: 'y' } });
  await eventually(() => expect(sentTo(one)).toHaveLength(6));
  cluster().remove(KINDS.pod, 'ns', 'web');
  cluster().remove(KINDS.configMap, 'ns', 'app');
  await eventually(() => expect(sentTo(one)).toHaveLength(8));
  expect(sentTo(one).slice(4).toSorted()).toEqual([
    'delete ns/configmap/app',
    'delete ns/pod/web',
    'update ns/configmap/app',
    'update ns/pod/web',
  ]);
  const deletions = one.received.filter(({ route }) => route.operation === 'delete');
  expect(deletions.map(({ content }) => stringAt(content, 'kind')).toSorted()).toEqual(['ConfigMap', 'Pod']);
  expect(sentTo(two)).toEqual(['update null/node/n2']);
});

test('what a node acknowledged is recorded as upstream does, and removed with the object', async () => {
  const pod = putPod();
  const { connect } = await replica();
  await connect('n1');
  await written(4);
  await eventually(() =>
    expect(cluster().get(EDGE_KINDS.objectSync, 'ns', 'n1.pod-uid')).toMatchObject({
      apiVersion: 'reliablesyncs.kubeedge.io/v1alpha1',
      kind: 'ObjectSync',
      spec: { objectAPIVersion: 'v1', objectKind: 'Pod', objectName: 'web' },
      status: { objectResourceVersion: valueAt(pod, 'metadata', 'resourceVersion') },
    }),
  );
  expect(cluster().names(EDGE_KINDS.clusterObjectSync)).toHaveLength(1);
  cluster().remove(KINDS.pod, 'ns', 'web');
  await eventually(() => expect(cluster().get(EDGE_KINDS.objectSync, 'ns', 'n1.pod-uid')).toBeUndefined());
});

test('a node that moves to another replica is sent only what changed in the meantime, deletions included', async () => {
  putPod();
  const first = await replica();
  const before = await first.connect('n1');
  await written(4);
  await eventually(() => expect(first.controllers.figures().pendingRecords).toBe(0));
  await first.stop();
  await before.closed;
  cluster().put(KINDS.configMap, { metadata: { namespace: 'ns', name: 'app' }, data: { k: '2' } });
  cluster().remove(KINDS.secret, 'ns', 'key');
  const second = await replica();
  const after = await second.connect('n1');
  await eventually(() => expect(sentTo(after)).toHaveLength(2));
  await settled();
  expect(sentTo(after).toSorted()).toEqual(['delete ns/secret/key', 'update ns/configmap/app']);
  const deletion = after.received.find(({ route }) => route.operation === 'delete');
  expect(deletion?.header).not.toHaveProperty('resourceVersion');
  expect(deletion?.content).toEqual({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'key', namespace: 'ns', uid: expect.any(String) },
  });
});

test('what a node may have wasSent of is taken back, even if its answer was lost', async () => {
  putPod();
  const first = await replica();
  const before = await first.connect('n1');
  before.answers = () => false;
  await eventually(() => expect(records()).toEqual(['0', '0', '0', '0']));
  await first.stop();
  cluster().remove(KINDS.pod, 'ns', 'web');
  const second = await replica();
  const after = await second.connect('n1');
  await eventually(() => expect(sentTo(after)).toContain('delete ns/pod/web'));
  await eventually(() => expect(cluster().get(EDGE_KINDS.objectSync, 'ns', 'n1.pod-uid')).toBeUndefined());
});

test('a node whose pod has gone is sent no later version of what the pod needed', async () => {
  putPod();
  const { connect } = await replica();
  const node = await connect('n1');
  await written(4);
  cluster().remove(KINDS.pod, 'ns', 'web');
  await eventually(() => expect(sentTo(node)).toContain('delete ns/pod/web'));
  const before = sentTo(node).length;
  cluster().put(KINDS.secret, { metadata: { namespace: 'ns', name: 'key' }, data: { a: 'Yg==' } });
  await settled();
  expect(sentTo(node)).toHaveLength(before);
  expect(codeOf(await answered(node, ask(node, 'query', 'ns/secret/key')))).toBe(403);
});

test('a record without a status is not a dead end', async () => {
  putPod();
  cluster().put(EDGE_KINDS.objectSync, {
    metadata: { namespace: 'ns', name: 'n1.pod-uid' },
    spec: { objectAPIVersion: 'v1', objectKind: 'Pod', objectName: 'web' },
  });
  const { connect } = await replica();
  const node = await connect('n1');
  await eventually(() => expect(sentTo(node)).toContain('insert ns/pod/web'));
});

test('an agent that registers again is sent everything again', async () => {
  putPod();
  const { connect } = await replica();
  const node = await connect('n1');
  await written(4);
  await settled();
  expect(sentTo(node)).toHaveLength(4);
  const content = await answered(node, ask(node, 'insert', 'null/node/n1', { metadata: { name: 'n1' } }));
  expect(codeOf(content)).toBe(409);
  await eventually(() => expect(sentTo(node).length).toBeGreaterThanOrEqual(8));
});

test('the API server goes away and comes back: what changed in the meantime arrives, requests are carried out', async () => {
  putPod();
  const { connect } = await replica();
  const node = await connect('n1');
  await eventually(() => expect(sentTo(node)).toHaveLength(4));
  cluster().refuseWith = 503;
  cluster().cut();
  const request = ask(node, 'query', 'ns/configmap/app');
  cluster().put(KINDS.configMap, { metadata: { namespace: 'ns', name: 'app' }, data: { k: '2' } });
  await settled();
  cluster().refuseWith = undefined;
  expect(await answered(node, request)).toMatchObject({ data: { k: '2' } });
  cluster().put(KINDS.secret, { metadata: { namespace: 'ns', name: 'key' }, data: { a: 'Yg==' } });
  await eventually(() => expect(sentTo(node)).toContain('update ns/secret/key'));
});

test('a node whose Node is deleted is disconnected with the reason', async () => {
  const { connect } = await replica();
  const node = await connect('n1');
  await eventually(() => expect(sentTo(node)).toHaveLength(1));
  cluster().remove(KINDS.node, undefined, 'n1');
  expect((await node.closed).reason).toContain('its Node object was deleted');
});
