import { newKeepalive, newMessage, type Message } from '@fenestra/contracts';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import {
  nodeCredentials,
  testAuthority,
  testHub,
  type NodeCredentials,
  type TestAuthority,
  type TestHub,
} from '../testing/test-cloud.ts';
import { connectNode } from '../testing/test-node.ts';

const MEBIBYTE = 1024 * 1024;
const STATUS = { source: 'edged', group: 'meta', operation: 'update', resource: 'default/podstatus/a' };
const UPLOAD = { source: 'servicebus', group: 'user', operation: 'upload', resource: 'rule' };

let cloud: TestAuthority;
let one: NodeCredentials;
const open: TestHub[] = [];

beforeAll(async () => {
  cloud = await testAuthority();
  one = await nodeCredentials(cloud, 'node-one');
});

afterEach(async () => {
  await Promise.all(open.splice(0).map(async (hub) => hub.close()));
});

test.each<[string, Message | string]>([
  ['a status of 4 MB', newMessage({ ...STATUS, content: 'x'.repeat(4 * MEBIBYTE) })],
  ['a keepalive of 100 kB', { ...newKeepalive(), content: 'x'.repeat(100_000) }],
  [
    'a large message whose route stands behind the content',
    JSON.stringify({ header: { msg_id: '1' }, content: 'x'.repeat(100_000), route: STATUS }),
  ],
  [
    'a status of 4 MB that claims another kind first',
    `{"header":{"msg_id":"1"},"route":${JSON.stringify(UPLOAD)},"content":"${'x'.repeat(4 * MEBIBYTE)}",` +
      `"route":${JSON.stringify(STATUS)}}`,
  ],
])('%s is dropped, and the connection goes on', async (_what, message) => {
  const { hub, received, node } = await start();
  if (typeof message === 'string') node.socket.send(message, { binary: false });
  else node.socket.send(JSON.stringify(wire(message)), { binary: false });
  node.send(newMessage({ ...STATUS, content: 'small' }));
  await vi.waitFor(() => expect(received).toEqual(['small']), 5_000);
  expect(hub.counts.oversized).toBe(1);
});

test('an upload of 6 MB is read', async () => {
  const { received, node } = await start();
  node.send(newMessage({ ...UPLOAD, content: 'x'.repeat(6 * MEBIBYTE) }));
  await vi.waitFor(() => expect(received).toHaveLength(1), 5_000);
});

test('a message that would cost far more memory than its size is refused before it is parsed', async () => {
  const { received, node } = await start();
  const content = `[${'{},'.repeat(900_000)}{}]`;
  node.socket.send(`{"header":{"msg_id":"1"},"route":${JSON.stringify(STATUS)},"content":${content}}`);
  expect(await node.closed).toMatchObject({ code: 1007 });
  expect(received).toEqual([]);
});

test('a node that sends more bytes than it may is slowed down, and nothing is lost', async () => {
  const { hub, received, node } = await start({ byteBurst: MEBIBYTE, bytesPerSecond: 4 * MEBIBYTE });
  for (let index = 0; index < 40; index += 1) node.send(newMessage({ ...STATUS, content: 'x'.repeat(100_000) }));
  await vi.waitFor(() => expect(hub.counts.throttled).toBeGreaterThan(0), 5_000);
  await vi.waitFor(() => expect(received).toHaveLength(40), 10_000);
});

test('a node is not read from while its unfinished messages hold too many bytes', async () => {
  const { hub, node } = await start({ unfinishedBytes: MEBIBYTE });
  const unfinished: (() => void)[] = [];
  hub.sessions.onMessage(async () => new Promise<void>((resolve) => unfinished.push(resolve)));
  for (let index = 0; index < 40; index += 1) node.send(newMessage({ ...STATUS, content: 'x'.repeat(200_000) }));
  await vi.waitFor(() => expect(hub.counts.throttled).toBe(1), 5_000);
  expect(unfinished.length).toBeLessThan(20);
  for (let done = 0; done < 40; done += 1) {
    await vi.waitFor(() => expect(unfinished.length).toBeGreaterThan(0), 5_000);
    unfinished.shift()?.();
  }
});

test('when all nodes together hold too many bytes, a node without unfinished messages is still heard', async () => {
  const { hub, node } = await start({ allUnfinishedBytes: MEBIBYTE });
  const finish: (() => void)[] = [];
  const received: string[] = [];
  hub.sessions.onMessage(async (name) => {
    received.push(name);
    if (name === 'node-one') await new Promise<void>((resolve) => finish.push(resolve));
  });
  for (let index = 0; index < 20; index += 1) node.send(newMessage({ ...STATUS, content: 'x'.repeat(400_000) }));
  await vi.waitFor(() => expect(hub.counts.throttled).toBe(1), 5_000);
  const other = await connectNode(open[0]?.port ?? 0, await nodeCredentials(cloud, 'node-two'));
  other.send(newMessage(STATUS));
  await vi.waitFor(() => expect(received).toContain('node-two'), 5_000);
  for (const done of finish) done();
});

test('a session ends when its certificate expires', async () => {
  const days = 3 / (24 * 60 * 60);
  const hub = await testHub(cloud);
  open.push(hub);
  const node = await connectNode(hub.port, await nodeCredentials(cloud, 'node-one', days));
  expect(await node.closed).toEqual({ code: 1008, reason: 'the certificate has expired' });
  expect(hub.hub.sessions.nodes()).toEqual([]);
});

async function start(limits: NonNullable<Parameters<typeof testHub>[1]>['limits'] = {}) {
  const testing = await testHub(cloud, { limits });
  open.push(testing);
  const { hub, port } = testing;
  const received: unknown[] = [];
  hub.sessions.onMessage((_node, { content }) => void received.push(content));
  return { hub, received, node: await connectNode(port, one) };
}

function wire({ header, route, content }: Message) {
  return { header: { msg_id: header.id, timestamp: header.timestamp }, route, content };
}
