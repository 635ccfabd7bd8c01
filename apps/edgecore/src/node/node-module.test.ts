import { join } from 'node:path';
import { contentText, type EdgecoreConfig, type Message, type NodeReport, objectAnswer } from '@fenestra/contracts';
import { type Json, isJsonObject, type JsonObject } from '@fenestra/kernel';
import { expect, onTestFinished, test, vi } from 'vitest';
import { configWith, type RunningMemory, runMemory, startModule } from '../meta/testing/running-memory.ts';
import { temporaryFolder } from '../meta/testing/temporary-folder.ts';
import type { Machine } from './machine.ts';
import { nodeModule } from './node-module.ts';
import { LINUX_MACHINE } from './testing/machines.ts';

test('a node registers, reports its status, and makes and renews its lease', async () => {
  const { cloud, node } = await startNode(emptyCluster());
  cloud.connect();
  await vi.waitFor(() => expect(said(cloud.received).filter((line) => line.startsWith('update'))).toHaveLength(2));
  expect(said(cloud.received).slice(0, 5)).toEqual([
    'insert null/node/n1',
    'patch null/nodepatch/n1',
    'query kube-node-lease/lease/n1',
    'insert kube-node-lease/lease/n1',
    'update kube-node-lease/lease/n1',
  ]);
  expect(cloud.received.every(({ route }) => route.source === 'edged' && route.group === 'meta')).toBe(true);
  const renewal = cloud.received.find(({ route }) => route.operation === 'update');
  expect(renewal?.content).toMatchObject({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      name: 'n1',
      namespace: 'kube-node-lease',
      resourceVersion: expect.any(String),
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'uid-n1' }],
    },
    spec: {
      holderIdentity: 'n1',
      leaseDurationSeconds: 1,
      renewTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
    },
  });
  expect(node.health()).toEqual({ state: 'healthy' });
});

test('a status is sent again only when it is news', async () => {
  const { cloud, change } = await startNode(emptyCluster());
  cloud.connect();
  await vi.waitFor(() => expect(patches(cloud.received)).toHaveLength(1));
  await rest(100);
  expect(patches(cloud.received)).toHaveLength(1);
  change({ address: '192.0.2.77' });
  await vi.waitFor(() => expect(patches(cloud.received)).toHaveLength(2));
  expect(patches(cloud.received)[1]).toMatchObject({
    status: { addresses: [{ type: 'InternalIP', address: '192.0.2.77' }, { type: 'Hostname' }, { $patch: 'replace' }] },
  });
});

test('a node that is registered already gets the labels it lacks', async () => {
  const cluster = emptyCluster();
  cluster.nodes.set('n1', { metadata: { name: 'n1', uid: 'uid-n1', labels: {} } });
  const { cloud } = await startNode(cluster);
  cloud.connect();
  await vi.waitFor(() => expect(patches(cloud.received)).toHaveLength(1));
  const update = cloud.received.find(({ route }) => route.operation === 'update' && route.resource === 'null/node/n1');
  expect(update?.content).toMatchObject({ metadata: { labels: { 'node-role.kubernetes.io/edge': '' } } });
});

test('a node that someone deleted registers again', async () => {
  const cluster = emptyCluster();
  const { cloud } = await startNode(cluster);
  cloud.connect();
  await vi.waitFor(() => expect(patches(cloud.received)).toHaveLength(1));
  cluster.nodes.clear();
  cloud.disconnect();
  const before = cloud.received.length;
  cloud.connect();
  await vi.waitFor(() => expect(said(cloud.received.slice(before)).slice(0, 3)).toEqual(REGISTERED_AGAIN));
  expect(cluster.nodes.has('n1')).toBe(true);
});

test('a reconnected node reports everything at once', async () => {
  const { cloud } = await startNode(emptyCluster());
  cloud.connect();
  await vi.waitFor(() => expect(patches(cloud.received)).toHaveLength(1));
  cloud.disconnect();
  const before = cloud.received.length;
  await rest(50);
  expect(cloud.received).toHaveLength(before);
  cloud.connect();
  await vi.waitFor(() => expect(patches(cloud.received)).toHaveLength(2));
  expect(patches(cloud.received)[1]).toMatchObject({ status: { nodeInfo: { operatingSystem: 'linux' } } });
});

test('a lease that someone else changed is read again', async () => {
  const cluster = emptyCluster();
  const { cloud } = await startNode(cluster);
  cloud.connect();
  await vi.waitFor(() => expect(said(cloud.received)).toContain('update kube-node-lease/lease/n1'));
  cluster.leases.set('n1', { metadata: { name: 'n1', uid: 'l', resourceVersion: '9000' }, spec: {} });
  await vi.waitFor(() => expect(said(cloud.received).filter((line) => line.startsWith('query'))).toHaveLength(2));
  await vi.waitFor(() => expect(said(cloud.received).at(-1)).toBe('update kube-node-lease/lease/n1'));
});

test('a cloud that fails makes the node degraded, and it tries until it is registered', async () => {
  const cluster = emptyCluster();
  cluster.isDown = true;
  const { cloud, node } = await startNode(cluster);
  cloud.connect();
  await vi.waitFor(() => expect(node.health().state).toBe('degraded'));
  cluster.isDown = false;
  await vi.waitFor(() => expect(node.health().state).toBe('healthy'), { timeout: 3_000 });
  expect(cluster.nodes.has('n1')).toBe(true);
});

test('the module tells the agent how the cloud knows the node, after every try', async () => {
  const cluster = emptyCluster();
  cluster.isDown = true;
  const { cloud, reports } = await startNode(cluster);
  expect(reports.at(-1)).toEqual({ registered: false, ready: 'Unknown' });
  cloud.connect();
  await vi.waitFor(() =>
    expect(reports.at(-1)).toEqual({
      registered: false,
      ready: 'Unknown',
      reason: 'Cannot register this node: ServiceUnavailable',
    }),
  );
  cluster.isDown = false;
  await vi.waitFor(
    () =>
      expect(reports.at(-1)).toEqual({
        registered: true,
        ready: 'False',
        reason: expect.stringContaining('has not started yet'),
      }),
    { timeout: 3_000 },
  );
  cloud.disconnect();
  await rest(50);
  expect(reports.at(-1)).toMatchObject({ registered: true, ready: 'False' });
});

test('a node that is not to register only reports', async () => {
  const cluster = emptyCluster();
  const { cloud } = await startNode(cluster, (config) => {
    const { edged } = config.modules;
    const kubelet = { ...edged.tailoredKubeletConfig, registerNode: false };
    return { ...config, modules: { ...config.modules, edged: { ...edged, tailoredKubeletConfig: kubelet } } };
  });
  cloud.connect();
  await vi.waitFor(() => expect(patches(cloud.received).length).toBeGreaterThan(1));
  expect(cluster.nodes.size).toBe(0);
});

const REGISTERED_AGAIN = ['patch null/nodepatch/n1', 'insert null/node/n1', 'patch null/nodepatch/n1'];

/** A tiny cluster: what the cloud would do with a node's messages. */
interface Cluster {
  readonly nodes: Map<string, JsonObject>;
  readonly leases: Map<string, JsonObject>;
  version: number;
  isDown: boolean;
}

function emptyCluster(): Cluster {
  return { nodes: new Map(), leases: new Map(), version: 100, isDown: false };
}

function answer(cluster: Cluster, { route, content }: Message): Json | undefined {
  if (route.operation === 'response') return undefined;
  if (cluster.isDown) return failure(503, 'ServiceUnavailable');
  const [, type, name = ''] = route.resource.split('/');
  const objects = type === 'lease' ? cluster.leases : cluster.nodes;
  const present = objects.get(name);
  if (route.operation === 'insert' && present !== undefined) return failure(409, 'AlreadyExists');
  if (route.operation !== 'insert' && present === undefined) return failure(404, 'NotFound');
  if (type === 'node' && route.operation === 'update') return 'OK';
  if (type === 'lease' && route.operation === 'update' && versionOf(content) !== versionOf(present ?? null)) {
    return failure(409, 'Conflict');
  }
  const isWrite = isJsonObject(content);
  const next = isWrite ? stamped(cluster, content, name) : (present ?? {});
  objects.set(name, next);
  return objectAnswer(next);
}

function stamped(cluster: Cluster, object: JsonObject, name: string): JsonObject {
  cluster.version += 1;
  const metadata = isJsonObject(object['metadata']) ? object['metadata'] : {};
  return { ...object, metadata: { ...metadata, uid: `uid-${name}`, resourceVersion: String(cluster.version) } };
}

function versionOf(object: Json): Json | undefined {
  const metadata = isJsonObject(object) ? object['metadata'] : undefined;
  return isJsonObject(metadata) ? metadata['resourceVersion'] : undefined;
}

function failure(code: number, reason: string): Json {
  return { Object: null, Err: { ErrStatus: { status: 'Failure', code, reason, message: reason } } };
}

async function startNode(cluster: Cluster, adjust: (config: EdgecoreConfig) => EdgecoreConfig = (config) => config) {
  const file = join(temporaryFolder(), 'edgecore.db');
  const running: RunningMemory = await runMemory(file);
  const { cloud, memory } = running;
  cloud.answerBy((message) => answer(cluster, message));
  let machine: Machine = LINUX_MACHINE;
  const reports: NodeReport[] = [];
  const definition = nodeModule({
    hub: cloud.hub,
    memory,
    readMachine: async () => machine,
    kubeletVersion: 'v1.32.10-kubeedge-v0.1.0',
    now: () => new Date(),
    random: () => 0.5,
    onReport: (report) => reports.push(report),
  });
  const node = await startModule(definition, adjust(quick(configWith(file))));
  onTestFinished(async () => {
    await node.stop();
    await running.stop();
  });
  const change = (changes: Partial<Machine>): void => {
    machine = { ...machine, ...changes };
  };
  return { cloud, node, change, reports };
}

function quick(config: EdgecoreConfig): EdgecoreConfig {
  const { edged } = config.modules;
  const intervals = { nodeStatusUpdateFrequency: '20ms', nodeLeaseDurationSeconds: 1 };
  const tailoredKubeletConfig = { ...edged.tailoredKubeletConfig, ...intervals };
  return { ...config, modules: { ...config.modules, edged: { ...edged, tailoredKubeletConfig } } };
}

function said(messages: readonly Message[]): readonly string[] {
  return messages.map(({ route }) => `${route.operation} ${route.resource}`);
}

function patches(messages: readonly Message[]): readonly unknown[] {
  return messages.filter(({ route }) => route.operation === 'patch').map((message) => JSON.parse(contentText(message)));
}

async function rest(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}
