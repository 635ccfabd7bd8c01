import { KINDS } from '@fenestra/kube-api';
import { markNode } from '@fenestra/steps';
import type { WorkerCluster } from '@fenestra/session';
import { openWorkerCluster } from '@fenestra/worker/cluster';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStepBed, type StepBed } from '../../../../e2e/support/worker/steps/step-bed.ts';

const { signal } = new AbortController();
const NODE = 'worker-1';
let bed: StepBed;
let cluster: WorkerCluster;
let kubeconfig: string;

beforeAll(async () => {
  bed = await openStepBed();
  kubeconfig = join(bed.folder, 'admin.conf');
  await writeFile(kubeconfig, bed.adminKubeconfig, { mode: 0o600 });
  cluster = await openWorkerCluster({ kubeconfigFile: kubeconfig });
  const labels = { 'kubernetes.io/hostname': NODE, colour: 'blue' };
  await bed.admin.create(KINDS.node, { metadata: { name: NODE, labels } }, signal);
});
afterAll(async () => {
  cluster.close();
  await bed.close();
});

test('a cluster reports its version, its ConfigMaps and its nodes, and what is not there is a value', async () => {
  const metadata = { name: 'kubelet-config', namespace: 'kube-system' };
  await bed.admin.create(KINDS.configMap, { metadata, data: { kubelet: 'kind: KubeletConfiguration\n' } }, signal);
  expect(await cluster.version(signal)).toMatch(/^v1\.\d+\.\d+/);
  expect(await cluster.configMap('kube-system', 'kubelet-config', signal)).toEqual({
    kubelet: 'kind: KubeletConfiguration\n',
  });
  expect(await cluster.configMap('kube-system', 'kube-proxy', signal)).toBeUndefined();
  expect(await cluster.node('nobody', signal)).toBeUndefined();
  expect(await cluster.node(NODE, signal)).toMatchObject({ ready: 'Unknown', schedulable: true });
});

test('trap 14: a ready node of the same name is seen as such before a worker joins by it', async () => {
  const conditions = [{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'posting ready status' }];
  const patch = { type: 'merge', subresource: 'status', body: { status: { conditions } } } as const;
  await bed.admin.patch(KINDS.node, { name: NODE }, patch, signal);
  expect(await cluster.node(NODE, signal)).toMatchObject({ ready: 'True' });
});

test('a node is last seen when it renewed its lease', async () => {
  expect(await cluster.lastSeen(NODE, signal)).toBeUndefined();
  const metadata = { name: NODE, namespace: 'kube-node-lease' };
  const spec = { holderIdentity: NODE, leaseDurationSeconds: 40, renewTime: '2026-01-02T03:04:05.678901Z' };
  await bed.admin.create(KINDS.lease, { metadata, spec }, signal);
  expect(await cluster.lastSeen(NODE, signal)).toEqual(new Date('2026-01-02T03:04:05.678Z'));
});

test('an unknown client is refused', async () => {
  const stranger = await openWorkerCluster({ kubeconfig: bed.tokenKubeconfig });
  await expect(stranger.configMap('kube-system', 'kubelet-config', signal)).rejects.toMatchObject({
    code: 'API_FORBIDDEN',
  });
  stranger.close();
});

test('marks are set and removed, and are again what they were during the rollback', async () => {
  const step = markNode({
    kubeconfig,
    node: NODE,
    labels: { colour: 'red', size: 'small' },
    annotations: { 'kubeadm.alpha.kubernetes.io/cri-socket': 'unix:///run/containerd/containerd.sock' },
  });
  const before = await bed.apply(step);
  expect(await cluster.node(NODE, signal)).toMatchObject({ labels: step.labels, annotations: step.annotations });
  await bed.apply({ ...step, labels: { size: null }, annotations: {} });
  expect((await cluster.node(NODE, signal))?.labels).not.toHaveProperty('size');
  await bed.revert(step, before);
  const node = await cluster.node(NODE, signal);
  expect(node?.labels).toEqual({ 'kubernetes.io/hostname': NODE, colour: 'blue' });
  expect(node?.annotations).not.toHaveProperty('kubeadm.alpha.kubernetes.io/cri-socket');
});

test('a cluster that cannot be reached, or has forgotten the node, holds no rollback up', async () => {
  const gone = join(bed.folder, 'gone.conf');
  await writeFile(gone, bed.adminKubeconfig.replaceAll(bed.server, 'https://127.0.0.1:1'), { mode: 0o600 });
  const step = markNode({ kubeconfig: gone, node: NODE, labels: { a: 'b' }, annotations: {} });
  const before = { labels: { a: null }, annotations: {} };
  await bed.revert(step, before);
  expect(bed.said).toEqual([{ text: expect.stringContaining('the node keeps its marks'), lasting: true }]);
  await bed.revert({ ...step, kubeconfig, node: 'forgotten' }, before);
  expect(bed.said).toHaveLength(1);
});
