import { expect, test } from 'vitest';
import type { JsonObject } from '../objects/json.ts';
import type { ResourceKind } from '../objects/resource-kind.ts';
import { leaseKind } from '../kinds/namespace.ts';
import { eventKind } from '../kinds/event.ts';
import { nodeKind } from '../kinds/node.ts';
import { podKind } from '../kinds/pod/pod.ts';
import { sample, sampleNode, samplePod } from '../kinds/testing/samples.ts';
import { admitNode } from './node-admission.ts';

const NO_OBJECTS = { get: () => undefined };
/** What the events of these tests are about. */
const involvedObject = { kind: 'Node', name: 'edge-1' };

function create(kind: ResourceKind, object: ReturnType<typeof sample>): unknown {
  return admitNode('edge-1', { verb: 'create', kind, subresource: '', object }, NO_OBJECTS);
}

function update(kind: ResourceKind, previous: ReturnType<typeof sample>, object: ReturnType<typeof sample>): unknown {
  return admitNode('edge-1', { verb: 'update', kind, subresource: '', object, previous }, NO_OBJECTS);
}

function mirror(spec: JsonObject): ReturnType<typeof sample> {
  const pod = samplePod('static', spec);
  const owner = { apiVersion: 'v1', kind: 'Node', name: 'edge-1', uid: 'u', controller: true };
  const annotations = { 'kubernetes.io/config.mirror': 'x' };
  return { ...pod, metadata: { ...pod.metadata, annotations, ownerReferences: [owner] } };
}

test('a node makes itself, with taints, and no other node', () => {
  const taints = [{ key: 'a', effect: 'NoSchedule' }];
  expect(create(nodeKind, sampleNode('edge-1', {}, { taints }))).toBe(true);
  expect(create(nodeKind, sampleNode('edge-2'))).toContain('not allowed to modify node "edge-2"');
  expect(create(nodeKind, sampleNode('edge-1', { 'x.node-restriction.kubernetes.io/zone': 'a' }))).not.toBe(true);
});

test('a node changes its labels, but neither its taints nor restricted labels', () => {
  const before = sampleNode('edge-1', { 'node-restriction.kubernetes.io/zone': 'a' });
  expect(
    update(nodeKind, before, sampleNode('edge-1', { 'node-restriction.kubernetes.io/zone': 'a', rack: '1' })),
  ).toBe(true);
  expect(update(nodeKind, before, sampleNode('edge-1', {}))).not.toBe(true);
  const taints = [{ key: 'a', effect: 'NoSchedule' }];
  expect(update(nodeKind, sampleNode('edge-1', {}, { taints }), sampleNode('edge-1'))).toContain('taints');
});

test.each([
  ['rack', true],
  ['example.com/rack', true],
  ['kubernetes.io/hostname', true],
  ['topology.kubernetes.io/zone', true],
  ['node.kubernetes.io/instance-type', true],
  ['feature.node.kubernetes.io/gpu', true],
  ['node-role.kubernetes.io/control-plane', false],
  ['node-restriction.kubernetes.io/zone', false],
  ['a.node-restriction.kubernetes.io/zone', false],
  ['kubernetes.io/anything', false],
  ['team.kubernetes.io/anything', false],
  ['k8s.io/anything', false],
  ['team.k8s.io/anything', false],
  ['notkubernetes.io/anything', true],
])('whether a node may set the label %s, with its creation or later: %s', (label, allowed) => {
  const labelled = sampleNode('edge-1', { [label]: 'a' });
  expect(create(nodeKind, labelled) === true).toBe(allowed);
  expect(update(nodeKind, sampleNode('edge-1'), labelled) === true).toBe(allowed);
  expect(update(nodeKind, labelled, sampleNode('edge-1', { [label]: 'b' })) === true).toBe(allowed);
  expect(update(nodeKind, labelled, sampleNode('edge-1')) === true).toBe(allowed);
  expect(update(nodeKind, labelled, labelled)).toBe(true);
});

test('a node cannot have itself deleted or kept, nor change where its configuration comes from', () => {
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'gone', uid: 'u' };
  const node = sampleNode('edge-1');
  const owned = { ...node, metadata: { ...node.metadata, ownerReferences: [owner] } };
  expect(create(nodeKind, owned)).toContain('ownerReferences');
  expect(update(nodeKind, node, owned)).toContain('ownerReferences');
  const held = { ...node, metadata: { ...node.metadata, finalizers: ['example.com/stay'] } };
  expect(update(nodeKind, node, held)).toContain('finalizers');
  const pod = mirror({ nodeName: 'edge-1' });
  const heldPod = { ...pod, metadata: { ...pod.metadata, finalizers: ['example.com/stay'] } };
  expect(create(podKind, heldPod)).toContain('finalizers');
  expect(update(podKind, pod, heldPod)).toContain('finalizers');
  const configured = sampleNode('edge-1', {}, { configSource: { configMap: { name: 'a', namespace: 'b' } } });
  expect(create(nodeKind, configured)).toContain('configSource');
});

test('a node makes mirror pods for itself only, owned by itself, and without references', () => {
  expect(create(podKind, mirror({ nodeName: 'edge-1' }))).toBe(true);
  expect(create(podKind, mirror({ nodeName: 'edge-2' }))).not.toBe(true);
  expect(create(podKind, samplePod('plain', { nodeName: 'edge-1' }))).toContain('mirror pods');
  expect(
    create(podKind, mirror({ nodeName: 'edge-1', volumes: [{ name: 'a', iscsi: { secretRef: { name: 's' } } }] })),
  ).toContain('reference a Secret');
  expect(create(podKind, mirror({ nodeName: 'edge-1', serviceAccountName: 'a' }))).toContain('a ServiceAccount');
  const pod = mirror({ nodeName: 'edge-1' });
  expect(create(podKind, { ...pod, metadata: { ...pod.metadata, ownerReferences: [] } })).toContain('owner reference');
});

test('a node cannot take over a pod by saying that it runs it', () => {
  expect(update(podKind, samplePod('a', { nodeName: 'edge-2' }), samplePod('a', { nodeName: 'edge-1' }))).not.toBe(
    true,
  );
});

test('a node reports a status and leaves the labels and owners of a pod alone', () => {
  const before = samplePod('a', { nodeName: 'edge-1' });
  expect(update(podKind, before, { ...before, status: { phase: 'Running' } })).toBe(true);
  expect(update(podKind, before, { ...before, metadata: { ...before.metadata, labels: { app: 'other' } } })).not.toBe(
    true,
  );
  const claims = { resourceClaimStatuses: [{ name: 'a', resourceClaimName: 'of-others' }] };
  expect(update(podKind, before, { ...before, status: claims })).toContain('resourceClaimStatuses');
});

test('a node neither takes over an event of another reporter nor gives one away', () => {
  const [own, foreign, unknown] = [{ host: 'edge-1' }, { host: 'edge-2' }, {}].map((source) =>
    sample('Event', 'e', { source, involvedObject, count: 1 }),
  );
  if (!own || !foreign || !unknown) throw new Error('there is no event');
  expect(update(eventKind, own, { ...own, count: 2 })).toBe(true);
  expect(update(eventKind, foreign, own)).not.toBe(true);
  expect(update(eventKind, own, foreign)).not.toBe(true);
  expect(update(eventKind, unknown, own)).not.toBe(true);
  expect(create(eventKind, { ...own, reportingInstance: 'edge-2' })).not.toBe(true);
});

test.each([
  [eventKind, sample('Event', 'e', { involvedObject, source: { host: 'edge-1' } })],
  [leaseKind, sample('Lease', 'edge-1')],
])('a node reports nothing that cannot be deleted, or that delays the deletion of something else', (kind, report) => {
  const owner = { apiVersion: 'v1', kind: 'Node', name: 'edge-1', uid: 'u' };
  const holding = (metadata: JsonObject) => ({ ...report, metadata: { ...report.metadata, ...metadata } });
  const held = holding({ finalizers: ['example.com/stay'] });
  expect(create(kind, held)).toContain('finalizers');
  expect(update(kind, report, held)).toContain('finalizers');
  expect(update(kind, held, holding({ finalizers: ['example.com/stay'], labels: { a: 'b' } }))).toBe(true);
  expect(update(kind, held, report)).toBe(true);
  expect(create(kind, holding({ ownerReferences: [owner] }))).toBe(true);
  for (const change of [{ name: 'edge-2' }, { kind: 'Pod' }, { blockOwnerDeletion: true }]) {
    const owned = holding({ ownerReferences: [{ ...owner, ...change }] });
    expect(create(kind, owned)).toContain('owner');
    expect(update(kind, report, owned)).toContain('owner');
  }
});

test('a node tells events in its own name and keeps its own lease', () => {
  expect(create(eventKind, sample('Event', 'e', { involvedObject, source: { host: 'edge-1' } }))).toBe(true);
  expect(create(eventKind, sample('Event', 'e', { involvedObject, source: { host: 'edge-2' } }))).not.toBe(true);
  expect(create(leaseKind, sample('Lease', 'edge-1'))).toBe(true);
  expect(create(leaseKind, sample('Lease', 'edge-2'))).not.toBe(true);
});
