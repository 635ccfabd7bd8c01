import { join } from 'node:path';
import { type Message, newMessage } from '@fenestra/contracts';
import type { Json } from '@fenestra/kernel';
import { expect, test, vi } from 'vitest';
import { runMemory } from './testing/running-memory.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

const CONFIG_MAPS = { group: '', version: 'v1', plural: 'configmaps' };

test('what the cloud sends is stored, then acknowledged, and found again after a restart without a cloud', async () => {
  const { cloud, memory, restart, stop } = await runMemory(join(temporaryFolder(), 'edgecore.db'));
  cloud.connect();
  const insert = push(
    'insert',
    'default/configmap/app',
    { metadata: { name: 'app', uid: 'u' }, data: { a: '1' } },
    '7',
  );
  cloud.send(insert);
  await vi.waitFor(() => expect(cloud.received).toHaveLength(1));
  expect(cloud.received[0]).toMatchObject({
    header: { parentId: insert.header.id },
    route: { source: 'metamanager', operation: 'response', resource: 'default/configmap/app' },
    content: 'OK',
  });
  cloud.disconnect();
  await restart();
  expect(memory.get(CONFIG_MAPS, 'default', 'app')).toMatchObject({ kind: 'ConfigMap', data: { a: '1' } });
  await stop();
});

test('a message that cannot be stored is refused, so that the cloud sends it again', async () => {
  const { cloud, stop } = await runMemory(join(temporaryFolder(), 'edgecore.db'));
  cloud.connect();
  cloud.send(push('patch', 'default/configmap/app', '{}', '7'));
  await vi.waitFor(() => expect(cloud.received[0]?.route.operation).toBe('error'));
  await stop();
});

test('while the module does not run, its memory says so and messages are refused', async () => {
  const { cloud, memory, stop } = await runMemory(join(temporaryFolder(), 'edgecore.db'));
  cloud.connect();
  await stop();
  expect(memory.isOpen).toBe(false);
  expect(() => memory.list(CONFIG_MAPS)).toThrow(expect.objectContaining({ code: 'SERVICE_FAILED' }));
  cloud.send(push('insert', 'default/configmap/app', { metadata: { name: 'app' } }, '7'));
  await vi.waitFor(() => expect(cloud.received[0]?.route.operation).toBe('error'));
});

test('a query goes to the cloud for what the node does not have, and to the disk from then on', async () => {
  const { cloud, memory, stop } = await runMemory(join(temporaryFolder(), 'edgecore.db'));
  const { signal } = new AbortController();
  await expect(memory.query('default/configmap/app', signal)).resolves.toBeUndefined();
  cloud.answerBy(({ route }) => (route.operation === 'query' ? { metadata: { name: 'app', uid: 'u1' } } : undefined));
  cloud.connect();
  await expect(memory.query('default/configmap/app', signal)).resolves.toMatchObject({ metadata: { uid: 'u1' } });
  expect(cloud.received.map(({ route, content }) => [route.source, route.operation, content])).toEqual([
    ['edged', 'query', null],
    ['metamanager', 'response', 'OK'],
  ]);
  cloud.disconnect();
  await expect(memory.query('default/configmap/app', signal)).resolves.toMatchObject({ metadata: { uid: 'u1' } });
  await stop();
});

test.each<[string, Json, string | undefined]>([
  ['an object', { metadata: { name: 'pv', uid: 'new' } }, 'new'],
  ['nothing', { ErrStatus: { code: 404, reason: 'NotFound' } }, undefined],
  ['a passing failure', { ErrStatus: { code: 503 } }, 'old'],
])('a query for what the cloud does not push asks the cloud although the node has it: %s', async (_, answer, uid) => {
  const { cloud, memory, stop } = await runMemory(join(temporaryFolder(), 'edgecore.db'));
  cloud.connect();
  cloud.send(push('update', 'null/persistentvolume/pv', { metadata: { name: 'pv', uid: 'old' } }, '1'));
  cloud.answerBy(({ route }) => (route.operation === 'query' ? answer : undefined));
  const found = await memory.query('null/persistentvolume/pv', new AbortController().signal);
  expect(found?.metadata['uid']).toBe(uid);
  await stop();
});

test('what is said offline goes up in order when the cloud is back, statuses only in their latest form', async () => {
  const { cloud, memory, restart, stop } = await runMemory(join(temporaryFolder(), 'edgecore.db'));
  memory.submit(say('update', 'default/podstatus/web', { status: 1 }));
  memory.submit(say('patch', 'default/podpatch/web', '{"status":{"a":1}}'));
  memory.submit(say('insert', 'default/event/e1', { metadata: { name: 'e1' } }));
  memory.submit(say('update', 'default/podstatus/web', { status: 2 }));
  await restart();
  memory.submit(say('patch', 'default/podpatch/web', '{"status":{"b":2}}'));
  cloud.answerBy(({ route }) =>
    route.operation === 'insert' ? undefined : { Object: { metadata: { name: 'web' } }, Err: null },
  );
  cloud.connect();
  const sent = [
    ['default/podpatch/web', '{"status":{"a":1}}'],
    ['default/event/e1', { metadata: { name: 'e1' } }],
    ['default/podstatus/web', { status: 2 }],
    ['default/podpatch/web', '{"status":{"b":2}}'],
  ];
  await vi.waitFor(() => expect(cloud.received.map(({ route, content }) => [route.resource, content])).toEqual(sent));
  cloud.disconnect();
  cloud.connect();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(cloud.received).toHaveLength(4);
  await stop();
});

test('an event is kept until it has left for the network', async () => {
  const { cloud, memory, restart, stop } = await runMemory(join(temporaryFolder(), 'edgecore.db'));
  cloud.connect();
  cloud.stall();
  memory.submit(say('insert', 'default/event/e1', { metadata: { name: 'e1' } }));
  await new Promise((resolve) => setTimeout(resolve, 20));
  await restart();
  cloud.disconnect();
  cloud.connect();
  await vi.waitFor(() => expect(cloud.received.map(resourceOf)).toEqual(['default/event/e1']));
  await stop();
});

test('what the cloud refuses permanently is given up, what it did not answer is sent again', async () => {
  const { cloud, memory, stop } = await runMemory(join(temporaryFolder(), 'edgecore.db'));
  memory.submit(say('patch', 'default/podpatch/gone', '{}'));
  memory.submit(say('patch', 'default/podpatch/web', '{}'));
  cloud.answerBy(({ route }) =>
    route.resource.endsWith('gone') ? { Object: null, Err: { ErrStatus: { code: 404 } } } : undefined,
  );
  cloud.connect();
  await vi.waitFor(() =>
    expect(cloud.received.map(resourceOf)).toEqual(['default/podpatch/gone', 'default/podpatch/web']),
  );
  cloud.disconnect();
  await new Promise((resolve) => setTimeout(resolve, 20));
  cloud.connect();
  await vi.waitFor(() => expect(cloud.received.map(resourceOf).slice(2)).toEqual(['default/podpatch/web']));
  await stop();
});

function push(operation: string, resource: string, content: Json, resourceVersion?: string): Message {
  return newMessage({ source: 'edgecontroller', group: 'resource', operation, resource, content, resourceVersion });
}

function say(operation: string, resource: string, content: Json): Message {
  return newMessage({ source: 'edged', group: 'meta', operation, resource, content });
}

function resourceOf({ route }: Message): string {
  return route.resource;
}
