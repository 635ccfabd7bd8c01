import { newMessage } from '@fenestra/contracts';
import { KINDS, valueAt } from '@fenestra/kube-api';
import { expect, test } from 'vitest';
import { answered, ask, codeOf, controllersBed, eventually, settled } from '../testing/controllers-bed.ts';
import { answerTo, toldTo } from '../testing/test-controllers.ts';

const { cluster, replica, putPod } = controllersBed();

test('a node registers, tells its status and renews its lease', async () => {
  const { connect } = await replica();
  const node = await connect('n3');
  const draft = { metadata: { name: 'n3', labels: { a: 'b', 'node-restriction.kubernetes.io/x': 'y' } } };
  expect(await answered(node, ask(node, 'insert', 'null/node/n3', draft))).toMatchObject({
    Object: { metadata: { name: 'n3', labels: { a: 'b', 'node-role.kubernetes.io/edge': '' } } },
    Err: null,
  });
  expect(valueAt(cluster().get(KINDS.node, undefined, 'n3') ?? null, 'metadata', 'labels')).not.toHaveProperty([
    'node-restriction.kubernetes.io/x',
  ]);
  await eventually(() => expect(toldTo(node)).toContain('update null/node/n3'));
  const patch = JSON.stringify({ status: { phase: 'Running' }, metadata: { labels: { evil: 'yes' } } });
  expect(await answered(node, ask(node, 'patch', 'null/nodepatch/n3', patch))).toMatchObject({
    Object: { status: { phase: 'Running' } },
    Err: null,
  });
  const lease = { metadata: { name: 'n3', namespace: 'kube-node-lease' }, spec: { holderIdentity: 'n3' } };
  const resource = 'kube-node-lease/lease/n3';
  expect(codeOf(await answered(node, ask(node, 'query', resource)))).toBe(404);
  expect(await answered(node, ask(node, 'insert', resource, lease))).toMatchObject({ Err: null });
  expect(await answered(node, ask(node, 'update', resource, lease))).toMatchObject({ Object: lease, Err: null });
});

test.each([
  ['insert', 'null/node/n2', { metadata: { name: 'n2' } }],
  ['query', 'null/node/n2', null],
  ['patch', 'null/nodepatch/n2', '{"status":{}}'],
  ['update', 'kube-node-lease/lease/n2', { metadata: { name: 'n2' } }],
  ['update', 'default/lease/n1', { metadata: { name: 'n1' } }],
  ['query', 'ns/secret/other', null],
  ['query', 'ns/configmap/unused', null],
  ['patch', 'ns/podpatch/foreign', '{"status":{}}'],
  ['insert', 'ns/pod/fake', { metadata: { name: 'fake' }, spec: { nodeName: 'n1' } }],
  ['query', 'ns/serviceaccounttoken/runner', { spec: { audiences: [] } }],
  ['query', 'ns/serviceaccounttoken/admin', { spec: { boundObjectRef: { kind: 'Pod', name: 'web', uid: 'pod-uid' } } }],
])('a node cannot %s %s', async (operation, resource, content) => {
  putPod();
  cluster().put(KINDS.pod, { metadata: { namespace: 'ns', name: 'foreign' }, spec: { nodeName: 'n2' } });
  const { connect } = await replica();
  const node = await connect('n1');
  expect(codeOf(await answered(node, ask(node, operation, resource, content)))).toBe(403);
});

test('a node gets what its pods need, and tokens bound to them', async () => {
  putPod();
  const { connect } = await replica();
  const node = await connect('n1');
  expect(await answered(node, ask(node, 'query', 'ns/configmap/app'))).toMatchObject({ data: { k: '1' } });
  expect(await answered(node, ask(node, 'query', 'ns/secret/key'))).toMatchObject({ metadata: { name: 'key' } });
  const request = { spec: { audiences: [], boundObjectRef: { kind: 'Pod', name: 'web', uid: 'pod-uid' } } };
  expect(await answered(node, ask(node, 'query', 'ns/serviceaccounttoken/runner', request))).toMatchObject({
    status: { token: 't' },
  });
  expect(codeOf(await answered(node, ask(node, 'query', 'ns/endpointslice/x')))).toBe(405);
});

test('a pod that ended is deleted once, and gone is as good', async () => {
  putPod();
  const { connect } = await replica();
  const node = await connect('n1');
  const options = { gracePeriodSeconds: 0, preconditions: { uid: 'pod-uid' } };
  expect(await answered(node, ask(node, 'delete', 'ns/pod/web', options))).toBe('OK');
  expect(await answered(node, ask(node, 'delete', 'ns/pod/web', options))).toBe('OK');
  expect(cluster().get(KINDS.pod, 'ns', 'web')).toBeUndefined();
});

test('events of a node are created and need no answer', async () => {
  const { connect } = await replica();
  const node = await connect('n1');
  ask(node, 'insert', 'ns/event/e1', { metadata: { name: 'e1', namespace: 'ns' }, source: { host: 'n1' } });
  ask(node, 'insert', 'ns/event/e2', { metadata: { name: 'e2', namespace: 'ns' }, source: { host: 'n2' } });
  await eventually(() => expect(cluster().get(KINDS.event, 'ns', 'e1')).toBeDefined());
  await settled();
  expect(cluster().get(KINDS.event, 'ns', 'e2')).toBeUndefined();
});

test('a forwarded request of the local API is refused at once', async () => {
  const { connect } = await replica();
  const node = await connect('n1');
  const content = { ID: 'x', Verb: 'list', Key: '/core/v1/secrets/null/null' };
  const message = newMessage({
    source: 'metaserver',
    group: 'dynamiccontroller',
    operation: 'null',
    resource: 'null',
    content,
  });
  node.send(message);
  await eventually(() => expect(answerTo(node, message)?.content).toMatchObject({ ID: 'x', Status: 'Rejected' }));
  expect(answerTo(node, message)?.route.operation).toBe('applicationResponse');
});
