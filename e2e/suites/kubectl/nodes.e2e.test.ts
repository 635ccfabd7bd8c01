import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cluster, startCluster } from './cluster.ts';
import { configMap, node, pod } from './manifests.ts';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster(new AbortController().signal);
  const objects = [node('plain'), node('gpu', { accelerator: 'gpu' }), configMap('settings', { a: '1' })];
  const list = await cluster.manifest('nodes.json', { apiVersion: 'v1', kind: 'List', items: objects });
  await cluster.run('create', '--validate=false', '-f', list);
});
afterAll(async () => {
  expect(cluster.complaints).toEqual([]);
  await cluster.stop();
});

async function nodeOf(name: string): Promise<string> {
  return cluster.run('get', 'pod', name, '-o', 'jsonpath={.spec.nodeName}');
}

async function createPod(name: string, spec: object): Promise<void> {
  await cluster.run('create', '-f', await cluster.manifest(`${name}.json`, pod(name, spec)));
}

async function scheduled(name: string): Promise<string> {
  await cluster.run('wait', '--for=condition=PodScheduled', `pod/${name}`, '--timeout=10s');
  return nodeOf(name);
}

test('a pod goes to a node that has the labels it asks for', async () => {
  await createPod('selected', { nodeSelector: { accelerator: 'gpu' } });
  expect(await scheduled('selected')).toBe('gpu');
});

test('a pod goes to a node that its required affinity allows', async () => {
  const expression = { key: 'accelerator', operator: 'DoesNotExist' };
  const required = { nodeSelectorTerms: [{ matchExpressions: [expression] }] };
  await createPod('choosy', {
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } },
  });
  expect(await scheduled('choosy')).toBe('plain');
});

test('a pod that fits nowhere waits, says why, and goes as soon as it can', async () => {
  await createPod('waiting', { nodeSelector: { disk: 'ssd' } });
  await cluster.run('wait', '--for=condition=PodScheduled=False', 'pod/waiting', '--timeout=10s');
  const described = await cluster.run('describe', 'pod', 'waiting');
  expect(described).toMatch(
    /Warning +FailedScheduling .* 0\/2 nodes are available: 2 node\(s\) didn't match Pod's node affinity\/selector\./,
  );
  await cluster.run('label', 'node', 'plain', 'disk=ssd');
  expect(await scheduled('waiting')).toBe('plain');
});

test('taint keeps pods away that do not tolerate it', async () => {
  expect(await cluster.run('taint', 'node', 'gpu', 'dedicated=ml:NoSchedule')).toBe('node/gpu tainted\n');
  await createPod('repelled', {});
  expect(await scheduled('repelled')).toBe('plain');
  const toleration = { key: 'dedicated', operator: 'Equal', value: 'ml', effect: 'NoSchedule' };
  await createPod('tolerant', { tolerations: [toleration], nodeSelector: { accelerator: 'gpu' } });
  expect(await scheduled('tolerant')).toBe('gpu');
  expect(await cluster.run('taint', 'node', 'gpu', 'dedicated-')).toBe('node/gpu untainted\n');
  const refused = await cluster.kubectl(['taint', 'node', 'gpu', 'x=y:Sometimes']);
  expect(refused.exitCode).toBe(1);
});

test('cordon closes a node and uncordon opens it', async () => {
  expect(await cluster.run('cordon', 'gpu')).toBe('node/gpu cordoned\n');
  expect(await cluster.run('get', 'nodes')).toMatch(/gpu +Ready,SchedulingDisabled/);
  await createPod('late', { nodeSelector: { accelerator: 'gpu' } });
  await cluster.run('wait', '--for=condition=PodScheduled=False', 'pod/late', '--timeout=10s');
  expect(await cluster.run('uncordon', 'gpu')).toBe('node/gpu uncordoned\n');
  expect(await scheduled('late')).toBe('gpu');
});

test('a deleted pod stays until its node confirms, and drain ends the pods of a node', async () => {
  const draining = cluster.kubectl(['drain', 'gpu', '--force', '--ignore-daemonsets', '--timeout=30s']);
  await expect.poll(async () => cluster.run('get', 'pods'), { timeout: 20_000 }).toMatch(/selected +0\/1 +Terminating/);
  // What the node's agent does once the containers have stopped.
  for (const name of ['selected', 'tolerant', 'late']) {
    await cluster.run('delete', 'pod', name, '--grace-period=0', '--force', '--wait=false');
  }
  const { exitCode, stdout } = await draining;
  // The word that follows depends on the version: before 1.22, kubectl evicts only where the group "policy" exists.
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('node/gpu ') });
  expect(await cluster.run('get', 'pods', '--field-selector', 'spec.nodeName=gpu', '-o', 'name')).toBe('');
});

test('a pod is bound manually, once', async () => {
  await createPod('by-hand', { schedulerName: 'nobody' });
  const path = '/api/v1/namespaces/default/pods/by-hand/binding';
  const target = { apiVersion: 'v1', kind: 'Node', name: 'plain' };
  const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'by-hand' }, target };
  const file = await cluster.manifest('binding.json', binding);
  await cluster.run('create', '--raw', path, '-f', file);
  expect(await nodeOf('by-hand')).toBe('plain');
  const again = await cluster.kubectl(['create', '--raw', path, '-f', file]);
  expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('is already assigned to node "plain"') });
});
