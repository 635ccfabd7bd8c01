import { expect, test } from 'vitest';
import type { JsonObject } from '../objects/json.ts';
import type { ResourceKind } from '../objects/resource-kind.ts';
import { leaseKind } from '../kinds/lease.ts';
import { eventKind } from '../kinds/event.ts';
import { nodeKind } from '../kinds/node.ts';
import { podKind } from '../kinds/pod/pod.ts';
import { sample, sampleNode, samplePod } from '../kinds/testing/samples.ts';
import { admitNode } from './node-admission.ts';

function create(kind: ResourceKind, object: ReturnType<typeof sample>): unknown {
  return admitNode('edge-1', { verb: 'create', kind, subresource: '', object });
}

function update(kind: ResourceKind, previous: ReturnType<typeof sample>, object: ReturnType<typeof sample>): unknown {
  return admitNode('edge-1', { verb: 'update', kind, subresource: '', object, previous });
}

function mirror(spec: JsonObject): ReturnType<typeof sample> {
  const pod = samplePod('static', spec);
  return { ...pod, metadata: { ...pod.metadata, annotations: { 'kubernetes.io/config.mirror': 'x' } } };
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

test('a node makes mirror pods of its own only, and without secrets', () => {
  expect(create(podKind, mirror({ nodeName: 'edge-1' }))).toBe(true);
  expect(create(podKind, mirror({ nodeName: 'edge-2' }))).not.toBe(true);
  expect(create(podKind, samplePod('plain', { nodeName: 'edge-1' }))).toContain('mirror pods');
  expect(
    create(podKind, mirror({ nodeName: 'edge-1', volumes: [{ name: 'a', secret: { secretName: 's' } }] })),
  ).not.toBe(true);
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
});

test('a node tells events in its own name and keeps its own lease', () => {
  expect(create(eventKind, sample('Event', 'e', { source: { host: 'edge-1' } }))).toBe(true);
  expect(create(eventKind, sample('Event', 'e', { source: { host: 'edge-2' } }))).not.toBe(true);
  expect(create(leaseKind, sample('Lease', 'edge-1'))).toBe(true);
  expect(create(leaseKind, sample('Lease', 'edge-2'))).not.toBe(true);
});
