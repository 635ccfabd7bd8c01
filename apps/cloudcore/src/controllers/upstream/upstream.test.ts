import { randomUUID } from 'node:crypto';
import { newMessage } from '@fenestra/contracts';
import { KINDS, stringAt, valueAt, type JsonObject } from '@fenestra/kube-api';
import { expect, test } from 'vitest';
import { toPem } from '../../certificates/key-pair.ts';
import type { x509 } from '../../certificates/x509.ts';
import { certificateRequest } from '../../testing/certificate-request.ts';
import { answered, ask, codeOf, controllersBed, eventually, settled } from '../testing/controllers-bed.ts';
import { answerTo, sentTo } from '../testing/test-controllers.ts';

const { cluster, replica, putPod } = controllersBed();

/** The owner of every pod that the node shows. */
const OWNER = { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'u', controller: true };

test('a node registers, reports its status and renews its lease', async () => {
  const { connect } = await replica();
  const node = await connect('n3');
  const labels = { a: 'b', 'kubernetes.io/os': 'linux', 'node-role.kubernetes.io/agent': '' };
  const reserved = { 'node-restriction.kubernetes.io/x': 'y', 'k8s.io/x': 'y', 'node-role.kubernetes.io/master': '' };
  const draft = { metadata: { name: 'n3', labels: { ...labels, ...reserved } } };
  expect(await answered(node, ask(node, 'insert', 'null/node/n3', draft))).toMatchObject({ Err: null });
  const own = { ...labels, 'node-role.kubernetes.io/edge': '' };
  expect(labelsOf('n3')).toEqual(own);
  expect(await answered(node, ask(node, 'update', 'null/node/n3', draft))).toBe('OK');
  expect(labelsOf('n3')).toEqual(own);
  await eventually(() => expect(sentTo(node)).toContain('update null/node/n3'));
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
  ['insert', 'ns/pod/account', mirrorPod({ serviceAccountName: 'runner' })],
  ['insert', 'ns/pod/old-account', mirrorPod({ serviceAccount: 'runner' })],
  ['insert', 'ns/pod/secret', mirrorPod({ volumes: [{ name: 'v', secret: { secretName: 'other' } }] })],
  ['insert', 'ns/pod/configmap', mirrorPod({ volumes: [{ name: 'v', configMap: { name: 'app' } }] })],
  ['insert', 'ns/pod/projected', mirrorPod({ volumes: [{ name: 'v', projected: { sources: [{ secret: {} }] } }] })],
  ['insert', 'ns/pod/cinder', mirrorPod({ volumes: [{ name: 'v', cinder: { secretRef: { name: 'other' } } }] })],
  ['insert', 'ns/pod/ephemeral', mirrorPod({ volumes: [{ name: 'v', ephemeral: {} }] })],
  ['insert', 'ns/pod/pull', mirrorPod({ imagePullSecrets: [{ name: 'other' }] })],
  ['insert', 'ns/pod/env', mirrorPod({ containers: [{ name: 'c', envFrom: [{ secretRef: { name: 'other' } }] }] })],
  ['insert', 'ns/pod/claim', mirrorPod({ volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] })],
  ['insert', 'ns/pod/resource', mirrorPod({ resourceClaims: [{ name: 'r' }] })],
  ['insert', 'ns/pod/owned', mirrorPod({}, [{ ...OWNER, name: 'n2' }])],
  ['insert', 'ns/pod/blocking', mirrorPod({}, [{ ...OWNER, blockOwnerDeletion: true }])],
  ['insert', 'ns/pod/ownerless', mirrorPod({}, [])],
  ['insert', 'kube-node-lease/lease/n1', { metadata: { name: 'n1', ownerReferences: [{ ...OWNER, name: 'n2' }] } }],
  ['insert', 'kube-node-lease/lease/n1', { metadata: { name: 'n1', finalizers: ['example.com/stay'] } }],
  ['query', 'ns/serviceaccounttoken/runner', { spec: { audiences: [] } }],
  ['query', 'ns/serviceaccounttoken/admin', { spec: { boundObjectRef: { kind: 'Pod', name: 'web', uid: 'pod-uid' } } }],
])('a node cannot %s %s', async (operation, resource, content) => {
  putPod();
  cluster().put(KINDS.pod, { metadata: { namespace: 'ns', name: 'foreign' }, spec: { nodeName: 'n2' } });
  const { connect } = await replica();
  const node = await connect('n1');
  expect(codeOf(await answered(node, ask(node, operation, resource, content)))).toBe(403);
});

test('a node shows a pod of its static files, and gets nothing through such a pod', async () => {
  const volumes = [{ name: 'v', secret: { secretName: 'other' } }];
  cluster().put(KINDS.pod, mirrorPod({ volumes, serviceAccountName: 'runner' }));
  const { connect } = await replica();
  const node = await connect('n1');
  const own = mirrorPod({ containers: [{ name: 'c', image: 'i' }] });
  expect(await answered(node, ask(node, 'insert', 'ns/pod/own', own))).toMatchObject({ Err: null });
  expect(codeOf(await answered(node, ask(node, 'query', 'ns/secret/other')))).toBe(403);
  const request = { spec: { boundObjectRef: { kind: 'Pod', name: 'mirror', uid: 'mirror-uid' } } };
  expect(codeOf(await answered(node, ask(node, 'query', 'ns/serviceaccounttoken/runner', request)))).toBe(403);
  await settled();
  expect(sentTo(node)).not.toContain('update ns/secret/other');
});

test.each([
  ['query', 'ns/configmap'],
  ['query', 'ns/secret/..'],
  ['query', '../secret/key'],
  ['patch', 'ns/podpatch/.'],
])('a node that would %s %s names nothing', async (operation, resource) => {
  const { connect } = await replica();
  const node = await connect('n1');
  expect(codeOf(await answered(node, ask(node, operation, resource, '{}')))).toBe(400);
});

test('a node reports the status of its pods, but not which resource claims they may use', async () => {
  putPod();
  const { connect } = await replica();
  const node = await connect('n1');
  const status = { phase: 'Running', resourceClaimStatuses: [{ name: 'a', resourceClaimName: 'of-others' }] };
  expect(await answered(node, ask(node, 'patch', 'ns/podpatch/web', JSON.stringify({ status })))).toMatchObject({
    Err: null,
  });
  expect(cluster().get(KINDS.pod, 'ns', 'web')?.['status']).toEqual({ phase: 'Running' });
  expect(await answered(node, ask(node, 'update', 'ns/podstatus', [{ Name: 'web', Status: status }]))).toBe('OK');
  expect(cluster().get(KINDS.pod, 'ns', 'web')?.['status']).toEqual({ phase: 'Running' });
});

test.each([
  { $patch: 'replace' },
  { $patch: 'delete' },
  { $retainKeys: ['phase'] },
  { '$setElementOrder/resourceClaimStatuses': [] },
  { '$deleteFromPrimitiveList/extendedResourceClaimStatus': ['a'] },
])('a node cannot remove from a status what it may not report, by %o', async (directive) => {
  putPod();
  const { connect } = await replica();
  const node = await connect('n1');
  const order = { '$setElementOrder/conditions': [] };
  const status = { phase: 'Running', ...order, ...directive };
  await answered(node, ask(node, 'patch', 'ns/podpatch/web', JSON.stringify({ status })));
  expect(cluster().get(KINDS.pod, 'ns', 'web')?.['status']).toEqual({ phase: 'Running', ...order });
});

test('an API server that does not know a list of the status gets the rest of it', async () => {
  putPod();
  const { connect } = await replica();
  const node = await connect('n1');
  cluster().unknownList = 'hostIPs';
  const lists = { '$setElementOrder/hostIPs': [{ ip: '10.0.0.1' }], hostIPs: [{ ip: '10.0.0.1' }] };
  const patch = JSON.stringify({ status: { phase: 'Running', ...lists } });
  expect(await answered(node, ask(node, 'patch', 'ns/podpatch/web', patch))).toMatchObject({ Err: null });
  expect(cluster().get(KINDS.pod, 'ns', 'web')?.['status']).toEqual({ phase: 'Running' });
});

test('a node registers without a source of its configuration, and does not say that it has left', async () => {
  const { connect } = await replica();
  const node = await connect('n4');
  const annotations = { 'fenestra.dev/left': 'true', a: 'b' };
  const spec = { configSource: { configMap: { name: 'c', namespace: 'ns' } }, podCIDR: '10.1.0.0/24' };
  const draft = { metadata: { name: 'n4', annotations }, spec };
  expect(await answered(node, ask(node, 'insert', 'null/node/n4', draft))).toMatchObject({ Err: null });
  expect(cluster().get(KINDS.node, undefined, 'n4')?.['spec']).toEqual({ podCIDR: '10.1.0.0/24' });
  expect(annotationsOf('n4')).toEqual({ a: 'b' });
  expect(await answered(node, ask(node, 'update', 'null/node/n4', draft))).toBe('OK');
  expect(annotationsOf('n4')).toEqual({ a: 'b' });
});

test('a pod that took the place of another of its name is neither changed nor deleted', async () => {
  putPod();
  const { connect } = await replica();
  const node = await connect('n1');
  const patch = JSON.stringify({ metadata: { uid: 'older' }, status: { phase: 'Failed' } });
  expect(codeOf(await answered(node, ask(node, 'patch', 'ns/podpatch/web', patch)))).toBe(409);
  expect(await answered(node, ask(node, 'delete', 'ns/pod/web', { preconditions: { uid: 'older' } }))).toBe('OK');
  expect(cluster().get(KINDS.pod, 'ns', 'web')).not.toHaveProperty('status');
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

test('a list of pod statuses without end is refused', async () => {
  const { connect } = await replica();
  const node = await connect('n1');
  const statuses = Array.from({ length: 1_001 }, (_, index) => ({ Name: `p${index}`, Status: {} }));
  expect(await answered(node, ask(node, 'update', 'ns/podstatus', statuses))).toContain('more than 1000');
});

test("a node that asks for the CA of the API server gets an answer, by the hub's name", async () => {
  const { connect } = await replica();
  const node = await connect('n1');
  const question = ask(node, 'query', 'k8s/ca.crt');
  await eventually(() => expect(answerTo(node, question)?.route.source).toBe('cloudhub'));
});

test('events of a node are created and need no answer', async () => {
  const { connect } = await replica();
  const node = await connect('n1');
  ask(node, 'insert', 'ns/event/e1', event('e1', 'n1'));
  ask(node, 'insert', 'ns/event/e2', event('e2', 'n2'));
  const owners = { ownerReferences: [{ ...OWNER, kind: 'Pod', blockOwnerDeletion: true }] };
  ask(node, 'insert', 'ns/event/e3', { ...event('e3', 'n1'), metadata: { name: 'e3', namespace: 'ns', ...owners } });
  await eventually(() => expect(cluster().get(KINDS.event, 'ns', 'e1')).toBeDefined());
  await settled();
  expect(cluster().get(KINDS.event, 'ns', 'e2')).toBeUndefined();
  expect(cluster().get(KINDS.event, 'ns', 'e3')).toBeUndefined();
});

test('a node writes events about itself and its own pods, and about no others', async () => {
  putPod({ nodeName: 'n1' });
  const { connect } = await replica();
  const [own, other] = [await connect('n1'), await connect('n2')];
  const subjects = {
    pod: { kind: 'Pod', name: 'web', namespace: 'ns' },
    node: { kind: 'Node', name: 'n1' },
    static: { kind: 'Pod', name: 'proxy-n1', namespace: 'ns' },
    secret: { kind: 'Secret', name: 'key', namespace: 'ns' },
    unknown: { kind: 'Pod', name: 'unknown', namespace: 'ns' },
  };
  for (const [name, involvedObject] of Object.entries(subjects)) {
    ask(other, 'insert', `ns/event/${name}-n2`, { ...event(`${name}-n2`, 'n2'), involvedObject });
    ask(other, 'patch', `ns/event/${name}-n2`, {
      event: { ...event(`${name}-n2`, 'n2'), involvedObject },
      patchData: '{"count":2}',
    });
    ask(own, 'insert', `ns/event/${name}-n1`, { ...event(`${name}-n1`, 'n1'), involvedObject });
  }
  for (const name of ['pod-n1', 'node-n1', 'static-n1'])
    await eventually(() => expect(cluster().get(KINDS.event, 'ns', name)).toBeDefined());
  await settled();
  for (const name of ['pod-n2', 'node-n2', 'static-n2', 'secret-n2', 'unknown-n2', 'secret-n1', 'unknown-n1'])
    expect(cluster().get(KINDS.event, 'ns', name)).toBeUndefined();
});

test('an event that the API has forgotten is written again when it is repeated', async () => {
  const { connect } = await replica();
  const node = await connect('n1');
  ask(node, 'patch', 'ns/event/old', { event: event('old', 'n1'), patchData: '{"count":7}' });
  await eventually(() =>
    expect(cluster().get(KINDS.event, 'ns', 'old')).toMatchObject({ count: 7, involvedObject: { name: 'n1' } }),
  );
});

test.each([
  ['JSON text', (text: string) => text],
  ['base64', (text: string) => Buffer.from(text).toString('base64')],
])(
  'a node changes its own events only, by a patch as %s, and of them no more than a repetition does',
  async (_, write) => {
    for (const [name, host] of [
      ['own', 'n1'],
      ['foreign', 'n2'],
    ] as const)
      cluster().put(KINDS.event, event(name, host));
    const { connect } = await replica();
    const node = await connect('n1');
    const change = JSON.stringify({ count: 2, involvedObject: { name: 'x' }, source: { host: 'n2' } });
    const patchData = write(change);
    ask(node, 'update', 'ns/event/foreign', { ...event('foreign', 'n1'), count: 2 });
    ask(node, 'patch', 'ns/event/foreign', { event: event('foreign', 'n1'), patchData });
    ask(node, 'patch', 'ns/event/own', { event: event('own', 'n1'), patchData });
    await eventually(() => expect(cluster().get(KINDS.event, 'ns', 'own')).toMatchObject({ count: 2 }));
    await settled();
    expect(cluster().get(KINDS.event, 'ns', 'own')).toMatchObject({ source: { host: 'n1' } });
    expect(cluster().get(KINDS.event, 'ns', 'own')).toMatchObject({ involvedObject: { name: 'n1' } });
    expect(cluster().get(KINDS.event, 'ns', 'foreign')).toMatchObject({ count: 1, source: { host: 'n2' } });
  },
);

test('every node that connects is marked with the replica it is connected to', async () => {
  const { connect } = await replica({ advertiseAddress: '10.9.9.9' });
  await connect('n1');
  await eventually(() =>
    expect(cluster().get(KINDS.node, undefined, 'n1')).toMatchObject({
      metadata: { annotations: { cloudcore: '10.9.9.9' } },
    }),
  );
});

test('a registration that waits for the API server has everything sent to the node once', async () => {
  const { connect } = await replica();
  const node = await connect('n1');
  await eventually(() => expect(sentTo(node)).toHaveLength(1));
  cluster().refuseWith = 503;
  const registration = ask(node, 'insert', 'null/node/n1', { metadata: { name: 'n1' } });
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(sentTo(node)).toHaveLength(1);
  cluster().refuseWith = undefined;
  expect(codeOf(await answered(node, registration))).toBe(409);
  await eventually(() => expect(sentTo(node)).toContain('update null/node/n1'));
});

test('a node gets certificates to serve under its own name and addresses only', async () => {
  const status = {
    addresses: [
      { type: 'InternalIP', address: '10.0.0.7' },
      { type: 'InternalIP', address: '127.0.0.1' },
    ],
  };
  cluster().put(KINDS.node, { metadata: { name: 'n1' }, status });
  const { connect } = await replica();
  const node = await connect('n1');
  const request = async (signer: string, ...names: x509.JsonGeneralNames) => {
    const { csr } = await certificateRequest('n1', { alternativeNames: names });
    const spec = {
      signerName: `kubernetes.io/${signer}`,
      request: Buffer.from(toPem('CERTIFICATE REQUEST', csr)).toString('base64'),
      usages: [],
    };
    const metadata = { name: `csr-${randomUUID()}` };
    const resource = `default/certificatesigningrequest/${metadata.name}`;
    return codeOf(await answered(node, ask(node, 'insert', resource, { metadata, spec }))) ?? 'accepted';
  };
  const own = [{ type: 'dns', value: 'n1' } as const, { type: 'ip', value: '10.0.0.7' } as const];
  expect(await request('kubelet-serving', ...own)).toBe('accepted');
  expect(await request('kube-apiserver-client-kubelet', ...own)).toBe(403);
  expect(await request('kubelet-serving', { type: 'dns', value: 'kubernetes.default.svc' })).toBe(403);
  // Where the API server is reached, whatever the node says its addresses are.
  expect(await request('kubelet-serving', { type: 'ip', value: '127.0.0.1' })).toBe(403);
});

test('the API server gets the request for a certificate that was judged, without the text around it', async () => {
  const { connect } = await replica();
  const node = await connect('n1');
  const own = await requestText('n1');
  const text = `${own}\n${await requestText('n2')}`;
  const spec = {
    signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
    request: Buffer.from(text).toString('base64'),
    usages: [],
  };
  const metadata = { name: 'csr-two' };
  await answered(node, ask(node, 'insert', 'default/certificatesigningrequest/csr-two', { metadata, spec }));
  const stored = cluster().get(KINDS.certificateSigningRequest, undefined, 'csr-two') ?? null;
  const sent = Buffer.from(stringAt(stored, 'spec', 'request'), 'base64').toString();
  expect(sent.match(/BEGIN/g)).toHaveLength(1);
  expect(sent.replaceAll(/\s/g, '')).toBe(own.replaceAll(/\s/g, ''));
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

function labelsOf(node: string): unknown {
  return valueAt(cluster().get(KINDS.node, undefined, node) ?? null, 'metadata', 'labels');
}

function annotationsOf(node: string): unknown {
  return valueAt(cluster().get(KINDS.node, undefined, node) ?? null, 'metadata', 'annotations');
}

async function requestText(node: string): Promise<string> {
  return toPem('CERTIFICATE REQUEST', (await certificateRequest(node)).csr);
}

/** A pod as a node shows it that runs it from a file. */
function mirrorPod(spec: JsonObject, ownerReferences: readonly JsonObject[] = [OWNER]): JsonObject {
  const annotations = { 'kubernetes.io/config.mirror': 'hash' };
  const metadata = { namespace: 'ns', name: 'mirror', uid: 'mirror-uid', annotations, ownerReferences };
  return { metadata, spec: { nodeName: 'n1', ...spec } };
}

function event(name: string, host: string): JsonObject {
  const involvedObject = { kind: 'Node', name: host };
  return { metadata: { namespace: 'ns', name }, involvedObject, source: { host }, count: 1 };
}
