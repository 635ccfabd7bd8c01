import { X509Certificate } from 'node:crypto';
import { DEFAULT_PROJECT_ID, newKeepalive, newMessage, type Message } from '@fenestra/contracts';
import { jsonLogger } from '@fenestra/platform';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { publicKeyHash } from '../certificates/key-pair.ts';
import {
  nodeCredentials,
  testAuthority,
  testHub,
  type NodeCredentials,
  type TestAuthority,
  type TestHub,
} from '../testing/test-cloud.ts';
import { connectNode } from '../testing/test-node.ts';

let cloud: TestAuthority;
let one: NodeCredentials;
let two: NodeCredentials;
const open: TestHub[] = [];

beforeAll(async () => {
  cloud = await testAuthority();
  [one, two] = await Promise.all([nodeCredentials(cloud, 'node-one'), nodeCredentials(cloud, 'node-two')]);
});

afterEach(async () => {
  await Promise.all(open.splice(0).map(async (hub) => hub.close()));
});

test('a node connects under the name its certificate carries', async () => {
  const { hub, port } = await start();
  const connected = vi.fn<(node: string) => void>();
  hub.sessions.onNodeConnected(connected);
  await connectNode(port, one);
  await vi.waitFor(() => expect(hub.sessions.nodes()).toEqual(['node-one']));
  expect(connected).toHaveBeenCalledExactlyOnceWith('node-one');
});

test.each([
  ['another node than its certificate says', { node_id: 'node-two' }, /^403: .*"node-one", not of "node-two"/],
  ['no node', { node_id: '' }, /^400: .*"node_id" is missing/],
  ['an unknown project', { project_id: 'mine' }, /^403: .*project "mine" is not known/],
  ['another use than messages', { ConnectionUse: 'str' }, /^400: .*"ConnectionUse" must be "msg"/],
])('a connection that claims %s is refused with a reason', async (_claim, headers, reason) => {
  const { hub, port } = await start();
  await expect(connectNode(port, one, headers)).rejects.toThrow(reason);
  expect(hub.counts.refusals).toBe(1);
});

test('connections that are refused again and again are counted, but do not fill the log', async () => {
  const warnings: string[] = [];
  const log = jsonLogger(
    (line) => warnings.push(line),
    'warn',
    () => new Date(),
  );
  const { hub, port } = await start({ log });
  for (let index = 0; index < 40; index += 1) {
    await expect(connectNode(port, one, { node_id: 'node-two' })).rejects.toThrow(/^403/);
  }
  expect(hub.counts.refusals).toBe(40);
  expect(warnings.length).toBeLessThan(30);
});

test('a certificate that has expired, is not valid yet, is of another CA, or none, is refused with a reason', async () => {
  const { port } = await start();
  const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1000);
  const early = await nodeCredentials(cloud, 'node-one', 2, tomorrow);
  await expect(connectNode(port, early)).rejects.toThrow(/^401: .*not valid yet: is a clock wrong/);
  const expired = await nodeCredentials(cloud, 'node-one', -0.001);
  const foreign = await nodeCredentials(await testAuthority(), 'node-one');
  await expect(connectNode(port, expired)).rejects.toThrow(/^401: .*has expired/);
  await expect(connectNode(port, { ...foreign, ca: one.ca })).rejects.toThrow(/^401: .*not signed by this cloud's CA/);
  const { ca, node } = one;
  const headers = { node_id: node, project_id: DEFAULT_PROJECT_ID, ConnectionUse: 'msg' };
  const bare = new WebSocket(`wss://127.0.0.1:${port}/`, { ca, headers });
  await expect(new Promise((_resolve, reject) => bare.on('error', reject))).rejects.toThrow('401');
});

test('a revoked certificate is refused, and a session with one ends; another key of the same node goes on', async () => {
  const revokedKeys = new Set<string>();
  const isRevoked = (_node: string, keyHash: string): boolean => revokedKeys.has(keyHash);
  const { hub, port } = await start({ isRevoked });
  const [node, other] = [await connectNode(port, one), await connectNode(port, two)];
  revokedKeys.add(publicKeyHash(new X509Certificate(one.cert)));
  hub.endRevoked(isRevoked);
  expect(await node.closed).toEqual({ code: 1008, reason: 'the certificate is revoked' });
  expect(hub.sessions.nodes()).toEqual(['node-two']);
  expect(other.socket.readyState).toBe(WebSocket.OPEN);
  await expect(connectNode(port, one)).rejects.toThrow(/^403: .*the certificate of "node-one" is revoked/);
  await connectNode(port, await nodeCredentials(cloud, 'node-one'));
});

test('a node above the limit is refused with that reason, one that is connected already is let in again', async () => {
  const { hub, port } = await start({ nodeLimit: 1 });
  const first = await connectNode(port, one);
  await expect(connectNode(port, two)).rejects.toThrow(/^503: .*limit of 1 nodes/);
  const again = await connectNode(port, one);
  expect(await first.closed).toEqual({ code: 1008, reason: 'replaced by a newer connection of the same node' });
  expect(hub.sessions.nodes()).toEqual(['node-one']);
  expect(again.socket.readyState).toBe(WebSocket.OPEN);
});

test('an object is delivered under its name, even in a namespace called "node", and reported as acknowledged', async () => {
  const { hub, port } = await start();
  const acknowledged = vi.fn<(node: string, key: string, resourceVersion: string, message: Message) => void>();
  hub.sessions.onAcknowledged(acknowledged);
  const node = await connectNode(port, one);
  const message = configMap('a', 7, 'node');
  hub.sessions.deliver('node-one', { key: 'a', resourceVersion: '7', message });
  await vi.waitFor(() => expect(acknowledged).toHaveBeenCalledExactlyOnceWith('node-one', 'a', '7', message));
  expect(node.received[0]?.route.resource).toBe('node/configmap/a');
  expect(hub.pending()).toBe(0);
});

test('an object that is never acknowledged is repeated and does not delay the others', async () => {
  const { hub, port } = await start({ window: { answerMs: 300, firstRetryMs: 50 } });
  const acknowledged = new Set<string>();
  hub.sessions.onAcknowledged((_node, key) => void acknowledged.add(key));
  const node = await connectNode(port, one);
  node.answers = ({ route }) => !route.resource.endsWith('/stuck');
  for (const name of ['stuck', ...numbered(200)]) deliver(hub, name, 1);
  await vi.waitFor(() => expect(acknowledged.size).toBe(200));
  await vi.waitFor(() => expect(timesReceived(node.received, 'stuck')).toBeGreaterThan(1), 2_000);
  node.answers = () => true;
  await vi.waitFor(() => expect(acknowledged.has('stuck')).toBe(true), 3_000);
});

test('a second connection of a node takes over what was on its way', async () => {
  const { hub, port } = await start();
  const events: string[] = [];
  hub.sessions.onNodeConnected(() => events.push('connected'));
  hub.sessions.onNodeDisconnected(() => events.push('disconnected'));
  const first = await connectNode(port, one);
  first.answers = () => false;
  deliver(hub, 'a', 1);
  await vi.waitFor(() => expect(first.received).toHaveLength(1));
  const second = await connectNode(port, one);
  await vi.waitFor(() => expect(second.received).toHaveLength(1));
  await first.closed;
  await vi.waitFor(() => expect(hub.pending()).toBe(0));
  expect(events).toEqual(['connected', 'disconnected', 'connected']);
});

test('a node that keeps silent is disconnected with a reason, one that sends keepalives is not', async () => {
  const { hub, port } = await start({ limits: { idleTimeoutMs: 600 } });
  const silent = await connectNode(port, one);
  const lively = await connectNode(port, two);
  const timer = setInterval(() => lively.send(newKeepalive()), 100);
  expect(await silent.closed).toEqual({ code: 1008, reason: 'no keepalive for 0.6 seconds' });
  expect(hub.sessions.nodes()).toEqual(['node-two']);
  clearInterval(timer);
});

test.each([
  ['a truncated message', '{"header":{"msg_id":"1"', 1007],
  ['a message without an id', '{"header":{},"route":{},"content":null}', 1007],
  ['a message above the limit', Buffer.alloc(33 * 1024 * 1024, 32), 1009],
])('%s ends the connection with a reason', async (_what, frame, code) => {
  const { hub, port } = await start();
  const node = await connectNode(port, one);
  node.socket.send(frame, { binary: false });
  expect((await node.closed).code).toBe(code);
  await vi.waitFor(() => expect(hub.sessions.nodes()).toEqual([]));
});

test('a node that floods is slowed down, not disconnected, and nothing is lost', async () => {
  const { hub, port } = await start({ limits: { messagesPerSecond: 4_000, messageBurst: 100 } });
  let received = 0;
  hub.sessions.onMessage(() => {
    received += 1;
  });
  const node = await connectNode(port, one);
  for (const name of numbered(400)) node.send(status(name));
  await vi.waitFor(() => expect(received).toBe(400), 5_000);
  expect(hub.counts.throttled).toBeGreaterThan(0);
  expect(hub.sessions.isConnected('node-one')).toBe(true);
});

test('a node that floods with keepalives or with lies is slowed down too, and does not fill the log', async () => {
  const warnings: string[] = [];
  const log = jsonLogger(
    (line) => warnings.push(line),
    'warn',
    () => new Date(),
  );
  const { hub, port } = await start({ log, limits: { messagesPerSecond: 400, messageBurst: 100 } });
  const [liar, lively] = [await connectNode(port, one), await connectNode(port, two)];
  const lie = { source: 'edgecontroller', group: 'resource', operation: 'update', resource: 'default/pod/a' };
  for (let index = 0; index < 200; index += 1) lively.send(newKeepalive());
  await vi.waitFor(() => expect(hub.counts).toMatchObject({ received: 200, throttled: expect.any(Number) }), 5_000);
  const throttled = hub.counts.throttled;
  expect(throttled).toBeGreaterThan(0);
  for (let index = 0; index < 200; index += 1) liar.send(newMessage(lie));
  await vi.waitFor(() => expect(hub.counts.forged).toBe(200), 5_000);
  expect(hub.counts.throttled).toBeGreaterThan(throttled);
  expect(warnings).toHaveLength(1);
});

test('a node with too many unfinished messages is not read from until they are finished', async () => {
  const { hub, port } = await start({ limits: { unfinished: 10 } });
  const unfinished: (() => void)[] = [];
  hub.sessions.onMessage(async () => new Promise<void>((resolve) => unfinished.push(resolve)));
  const node = await connectNode(port, one);
  // Large enough that they cannot all be in one chunk that was read already.
  for (let index = 0; index < 100; index += 1) node.send({ ...status('a'), content: 'x'.repeat(100_000) });
  await vi.waitFor(() => expect(hub.counts.throttled).toBe(1));
  expect(unfinished.length).toBeLessThan(30);
  for (let done = 0; done < 100; done += 1) {
    await vi.waitFor(() => expect(unfinished.length).toBeGreaterThan(0), 2_000);
    unfinished.shift()?.();
  }
});

test('a node that does not read is bounded: nothing is added to what waits for it', async () => {
  const { hub, port } = await start({ limits: { slowMs: 300 } });
  const node = await connectNode(port, one);
  node.socket.pause();
  // More than the system's own buffers take.
  const message = { ...status('a'), content: 'x'.repeat(30 * 1024 * 1024) };
  for (let index = 0; index < 10; index += 1) hub.sessions.send('node-one', message);
  expect(hub.counts).toMatchObject({ sent: 1, dropped: 9 });
  await vi.waitFor(() => expect(hub.sessions.nodes()).toEqual([]), 3_000);
  expect(hub.counts.evictions).toBe(1);
});

test('a message that claims to come from the cloud is dropped', async () => {
  const { hub, port } = await start();
  const message = vi.fn<(node: string, message: Message) => void>();
  hub.sessions.onMessage(message);
  const node = await connectNode(port, one);
  node.send(
    newMessage({ source: 'edgecontroller', group: 'resource', operation: 'update', resource: 'default/pod/a' }),
  );
  node.send(status('honest'));
  await vi.waitFor(() => expect(message).toHaveBeenCalledOnce());
  expect(message.mock.calls[0]?.[1].route.resource).toBe('default/podstatus/honest');
  expect(hub.counts.forged).toBe(1);
});

test('a listener that fails does not affect others', async () => {
  const { hub, port } = await start();
  hub.sessions.onMessage(() => {
    throw new Error('bug');
  });
  const second = vi.fn<(node: string, message: Message) => void>();
  hub.sessions.onMessage(second);
  const node = await connectNode(port, one);
  node.send(status('a'));
  await vi.waitFor(() => expect(second).toHaveBeenCalledOnce());
  expect(hub.sessions.isConnected('node-one')).toBe(true);
});

test('closing the hub sends the nodes away with the code for a restart', async () => {
  const { hub, port } = await start();
  const node = await connectNode(port, one);
  await hub.close(new AbortController().signal);
  expect(await node.closed).toEqual({ code: 1012, reason: 'the cloud restarts' });
  expect(hub.sessions.nodes()).toEqual([]);
});

async function start(options?: Parameters<typeof testHub>[1]): Promise<TestHub> {
  const hub = await testHub(cloud, options);
  open.push(hub);
  return hub;
}

function configMap(name: string, version: number, namespace = 'default'): Message {
  const resource = `${namespace}/configmap/${name}`;
  const content = { metadata: { name, namespace, uid: name, resourceVersion: String(version) } };
  const route = { source: 'edgecontroller', group: 'resource', operation: 'update', resource };
  return newMessage({ ...route, content, resourceVersion: String(version) });
}

function deliver(hub: TestHub['hub'], name: string, version: number): void {
  const resourceVersion = String(version);
  hub.sessions.deliver('node-one', { key: name, resourceVersion, message: configMap(name, version) });
}

function status(name: string): Message {
  return newMessage({ source: 'edged', group: 'meta', operation: 'update', resource: `default/podstatus/${name}` });
}

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `object-${index}`);
}

function timesReceived(messages: readonly Message[], name: string): number {
  return messages.filter(({ route }) => route.resource.endsWith(`/${name}`)).length;
}
