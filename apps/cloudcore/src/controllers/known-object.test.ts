import { EDGE_KINDS } from '@fenestra/contracts';
import type { KubeObject } from '@fenestra/kube-api';
import { expect, test } from 'vitest';
import { fingerprintOf } from './known-object.ts';

const podFingerprint = (object: KubeObject) => fingerprintOf(EDGE_KINDS.pod, object);
const nodeFingerprint = (object: KubeObject) => fingerprintOf(EDGE_KINDS.node, object);

const pod = { metadata: { name: 'p', resourceVersion: '1', generation: 1 }, spec: { a: 1 }, status: { phase: 'x' } };

const node = (status: string, lastHeartbeatTime: string) => ({
  metadata: { name: 'n' },
  status: { conditions: [{ type: 'Ready', status, lastHeartbeatTime }] },
});

test('a pod whose status, version or field managers change is the same pod to its node', () => {
  const metadata = { ...pod.metadata, resourceVersion: '2', generation: 2, managedFields: [] };
  expect(podFingerprint({ ...pod, metadata, status: { phase: 'y' } })).toBe(podFingerprint(pod));
});

test.each([
  [{ ...pod, spec: { a: 2 } }],
  [{ ...pod, metadata: { ...pod.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }],
  [{ ...pod, metadata: { ...pod.metadata, labels: { a: 'b' } } }],
])('a pod that changes otherwise is reported', (changed) => {
  expect(podFingerprint(changed)).not.toBe(podFingerprint(pod));
});

test('of a node, a heartbeat is not a change but the loss of readiness is', () => {
  expect(nodeFingerprint(node('True', '2'))).toBe(nodeFingerprint(node('True', '1')));
  expect(nodeFingerprint(node('Unknown', '1'))).not.toBe(nodeFingerprint(node('True', '1')));
});
