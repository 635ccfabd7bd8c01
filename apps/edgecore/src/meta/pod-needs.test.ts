import { join } from 'node:path';
import { newMessage, type Message } from '@fenestra/contracts';
import type { Json } from '@fenestra/kernel';
import { silentLogger } from '@fenestra/platform';
import { expect, onTestFinished, test, vi } from 'vitest';
import { keepPodNeeds } from './pod-needs.ts';
import { runMemory } from './testing/running-memory.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';
import type { TestCloud } from './testing/test-cloud.ts';

const QUICK = { retries: { firstMs: 20, capMs: 40, healthyAfterMs: Infinity }, settleMs: 5 };
const SECRETS = { group: '', version: 'v1', plural: 'secrets' };
const SPEC = {
  volumes: [{ configMap: { name: 'app' } }, { projected: { sources: [{ secret: { name: 'tls' } }] } }],
  initContainers: [{ envFrom: [{ secretRef: { name: 'db' } }] }],
};
const NEEDED = ['ns/configmap/app', 'ns/secret/db', 'ns/secret/tls'];

/** A cloud that sends pods only, and answers queries for what it has, as KubeEdge's own. */
async function start(objects: ReadonlyMap<string, Json>) {
  const { cloud, memory, stop } = await runMemory(join(temporaryFolder(), 'edgecore.db'));
  const life = new AbortController();
  const options = { hub: cloud.hub, memory, log: silentLogger(), random: () => 0.5, ...QUICK };
  const running = keepPodNeeds(options, life.signal);
  cloud.answerBy(({ route }) => {
    if (route.operation !== 'query') return undefined;
    return objects.get(route.resource) ?? { ErrStatus: { code: 404, reason: 'NotFound' } };
  });
  onTestFinished(async () => {
    life.abort();
    await running;
    await stop();
  });
  return { cloud, memory };
}

const objectAt = (resource: string): [string, Json] => {
  const name = resource.split('/').at(-1) ?? '';
  return [resource, { metadata: { namespace: 'ns', name, uid: `uid-${name}`, resourceVersion: '7' } }];
};

function sendPod(cloud: TestCloud, changes: { readonly [field: string]: Json } = {}): void {
  const metadata = { namespace: 'ns', name: 'web', uid: 'pod', resourceVersion: '9', ...changes };
  const route = { source: 'edgecontroller', group: 'resource', operation: 'insert', resource: 'ns/pod/web' };
  cloud.send(newMessage({ ...route, content: { metadata, spec: SPEC }, resourceVersion: '9' }));
}

const queries = ({ received }: TestCloud): string[] =>
  received.filter(({ route }: Message) => route.operation === 'query').map(({ route }) => route.resource);

test('a node asks for the ConfigMaps and Secrets of its pods that it was not sent, once each', async () => {
  const { cloud, memory } = await start(new Map(NEEDED.map(objectAt)));
  cloud.connect();
  sendPod(cloud);
  const acknowledged = () =>
    cloud.received.filter(({ route }) => route.operation === 'response').map(({ route }) => route.resource);
  await vi.waitFor(() => expect(acknowledged().toSorted()).toEqual([...NEEDED, 'ns/pod/web'].toSorted()));
  expect(memory.get(SECRETS, 'ns', 'tls')).toBeDefined();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(queries(cloud).toSorted()).toEqual(NEEDED);
  const [query] = cloud.received.filter(({ route }) => route.operation === 'query');
  expect(query).toMatchObject({ route: { source: 'edged', group: 'meta' }, content: null });
});

test('what does not exist yet is asked for again until it does', async () => {
  const objects = new Map(NEEDED.slice(0, 2).map(objectAt));
  const { cloud, memory } = await start(objects);
  cloud.connect();
  sendPod(cloud);
  const asked = (wanted: string): number => queries(cloud).filter((resource) => resource === wanted).length;
  await vi.waitFor(() => expect(asked('ns/secret/tls')).toBeGreaterThan(2));
  expect(asked('ns/secret/db')).toBe(1);
  objects.set(...objectAt('ns/secret/tls'));
  await vi.waitFor(() => expect(memory.get(SECRETS, 'ns', 'tls')).toBeDefined());
});

test('what was missing while the cloud was away is asked for when it is back', async () => {
  const { cloud, memory } = await start(new Map(NEEDED.map(objectAt)));
  cloud.connect();
  cloud.answerBy(() => undefined);
  sendPod(cloud);
  await vi.waitFor(() => expect(queries(cloud)).toHaveLength(NEEDED.length));
  cloud.disconnect();
  const objects = new Map(NEEDED.map(objectAt));
  cloud.answerBy(({ route }) => (route.operation === 'query' ? objects.get(route.resource) : undefined));
  cloud.connect();
  await vi.waitFor(() => expect(memory.get(SECRETS, 'ns', 'tls')).toBeDefined());
});

test('a mirror pod gives its node nothing to ask for', async () => {
  const { cloud } = await start(new Map(NEEDED.map(objectAt)));
  cloud.connect();
  sendPod(cloud, { annotations: { 'kubernetes.io/config.mirror': 'x' } });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(queries(cloud)).toEqual([]);
});

test('what no pod refers to any more is not asked for again', async () => {
  const { cloud } = await start(new Map());
  cloud.connect();
  sendPod(cloud);
  await vi.waitFor(() => expect(queries(cloud).length).toBeGreaterThan(NEEDED.length));
  const route = { source: 'edgecontroller', group: 'resource', operation: 'delete', resource: 'ns/pod/web' };
  cloud.send(newMessage({ ...route, content: { metadata: { namespace: 'ns', name: 'web', uid: 'pod' } } }));
  await new Promise((resolve) => setTimeout(resolve, 60));
  const before = queries(cloud).length;
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(queries(cloud)).toHaveLength(before);
});
