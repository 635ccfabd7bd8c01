import { join } from 'node:path';
import { contentJson, newMessage } from '@fenestra/contracts';
import { isJsonObject, type Json, type JsonObject, objectAt, stringAt } from '@fenestra/kernel';
import { type Pod, readPod, takeManifests } from '@fenestra/pods';
import { silentLogger } from '@fenestra/platform';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runMemory } from '../../meta/testing/running-memory.ts';
import { temporaryFolder } from '../../meta/testing/temporary-folder.ts';
import { MirrorPods, uidInCloud } from './mirror-pods.ts';

const WAITING = { timeout: 20_000, interval: 10 };
const MIRROR = 'default/pod/web-n1';
const DELETED = { deletionTimestamp: '2026-01-01T00:00:00Z', resourceVersion: '99' };

function podOf(image: string): JsonObject {
  const spec = { containers: [{ name: 'main', image }] };
  const text = JSON.stringify({ kind: 'Pod', metadata: { name: 'web' }, spec });
  const [manifest] = takeManifests([], [{ file: '/web.yaml', text }], { nodeName: 'n1', now: 0 }).manifests;
  if (manifest === undefined) throw new Error('no pod');
  return manifest.pod;
}

function typed(pod: JsonObject): Pod {
  const read = readPod(pod);
  if ('problems' in read) throw new Error('not a pod');
  return read.pod;
}

/** A node with static pods and a cloud that keeps the mirrors. */
async function start(pods: JsonObject[]) {
  const { cloud, memory, stop } = await runMemory(join(temporaryFolder(), 'edgecore.db'));
  const mirrors = new Map<string, JsonObject>();
  let version = 1;
  const send = (operation: string, resource: string, content: Json): void => {
    const metadata = { ...objectAt(content, 'metadata'), resourceVersion: String((version += 1)) };
    const object = isJsonObject(content) ? { ...content, metadata } : content;
    const route = { source: 'edgecontroller', group: 'resource', operation, resource };
    cloud.send(newMessage({ ...route, content: object, resourceVersion: String(version) }));
  };
  const create = (resource: string, pod: Json): Json => {
    if (mirrors.has(resource)) return { Object: null, Err: { ErrStatus: { code: 409, reason: 'AlreadyExists' } } };
    const metadata = {
      ...objectAt(pod, 'metadata'),
      uid: `mirror-${version}`,
      resourceVersion: String((version += 1)),
    };
    const created = { ...objectAt({ pod }, 'pod'), metadata };
    mirrors.set(resource, created);
    return { Object: created, Err: null };
  };
  const remove = (resource: string): Json => {
    const mirror = mirrors.get(resource);
    mirrors.delete(resource);
    if (mirror !== undefined) queueMicrotask(() => send('delete', resource, mirror));
    return 'OK';
  };
  cloud.answerBy((message) => {
    const { operation, resource } = message.route;
    if (operation === 'insert') return create(resource, contentJson(message));
    if (operation === 'delete') return remove(resource);
    return operation === 'query' ? mirrors.get(resource) : undefined;
  });
  const seen: string[] = [];
  const [life, files] = [new AbortController(), { pods, isComplete: true }];
  const running = () => files.pods.map(typed);
  const onMirror = (uid: string): void => void seen.push(uid);
  const options = { hub: cloud.hub, memory, nodeName: 'n1', files, running, onMirror, log: silentLogger() };
  const keeper = new MirrorPods(options);
  const ended = keeper.run(life.signal);
  onTestFinished(async () => {
    life.abort();
    await ended;
    await stop();
  });
  const connect = (): void => {
    cloud.connect();
    send('insert', 'default/node/n1', { metadata: { name: 'n1', uid: 'node-uid' } });
  };
  const shown = (): string | undefined => uidInCloud(memory, typed(files.pods[0] ?? {}));
  return { cloud, memory, mirrors, files, keeper, seen, send, connect, shown };
}

test('a static pod is shown in the cloud as soon as there is a connection', async () => {
  const { cloud, mirrors, connect, shown, seen, files } = await start([podOf('web:1')]);
  expect(shown()).toBeUndefined();
  connect();
  await vi.waitFor(() => expect(shown()).toMatch(/^mirror-/), WAITING);
  expect(stringAt(mirrors.get(MIRROR), 'spec', 'nodeName')).toBe('n1');
  await vi.waitFor(() => expect(seen).toEqual([stringAt(files.pods[0], 'metadata', 'uid')]), WAITING);
  expect(cloud.received.filter(({ route }) => route.operation === 'insert')).toHaveLength(1);
});

test.each([['gracefully'], ['by force']])('a mirror that a user deletes %s comes back', async (how) => {
  const { mirrors, connect, shown, send, seen } = await start([podOf('web:1')]);
  connect();
  await vi.waitFor(() => expect(seen).toHaveLength(1), WAITING);
  const before = shown();
  const mirror = mirrors.get(MIRROR) ?? {};
  if (how === 'by force') {
    mirrors.delete(MIRROR);
    send('delete', MIRROR, mirror);
  } else {
    send('update', MIRROR, { ...mirror, metadata: { ...objectAt(mirror, 'metadata'), ...DELETED } });
  }
  await vi.waitFor(() => expect([undefined, before]).not.toContain(shown()), WAITING);
  await vi.waitFor(() => expect(seen).toHaveLength(2), WAITING);
});

test('a changed static pod gets another mirror, and one that is gone has none', async () => {
  const { mirrors, connect, shown, files, keeper } = await start([podOf('web:1')]);
  connect();
  await vi.waitFor(() => expect(shown()).toBeDefined(), WAITING);
  files.pods = [podOf('web:2')];
  keeper.wake();
  await vi.waitFor(() => expect(shown()).toBeDefined(), WAITING);
  files.pods = [];
  keeper.wake();
  await vi.waitFor(() => expect(mirrors.size).toBe(0), WAITING);
});

test('a mirror that only the cloud knows is found', async () => {
  const first = await start([podOf('web:1')]);
  first.connect();
  await vi.waitFor(() => expect(first.mirrors.size).toBe(1), WAITING);
  const second = await start([podOf('web:1')]);
  for (const [resource, mirror] of first.mirrors) second.mirrors.set(resource, mirror);
  second.connect();
  await vi.waitFor(() => expect(second.shown()).toBe(first.shown()), WAITING);
});

test('nothing is changed in the cloud before every file has been read', async () => {
  const { cloud, connect, files, keeper, shown } = await start([podOf('web:1')]);
  files.isComplete = false;
  connect();
  keeper.wake();
  await vi.waitFor(
    () => expect(cloud.received.some(({ route }) => route.operation === 'response')).toBe(true),
    WAITING,
  );
  expect(cloud.received.filter(({ route }) => route.operation === 'insert')).toEqual([]);
  files.isComplete = true;
  keeper.wake();
  await vi.waitFor(() => expect(shown()).toBeDefined(), WAITING);
});
