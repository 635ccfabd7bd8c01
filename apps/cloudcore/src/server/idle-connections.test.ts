import { connect, type Socket } from 'node:net';
import { silentLogger } from '@fenestra/platform';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { startMonitorServer } from '../monitor-server.ts';
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
const cleanups: (() => unknown)[] = [];

beforeAll(async () => {
  cloud = await testAuthority();
  [one, two] = await Promise.all([nodeCredentials(cloud, 'node-one'), nodeCredentials(cloud, 'node-two')]);
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

test('idle connections keep no node out, from the same address or another, and harm no connected node', async () => {
  const { hub, port } = await start({ perAddress: 20, total: 30 });
  const connected = await connectNode(port, one);
  const idle = await openIdle(port, 200, '127.0.0.1');
  await vi.waitFor(() => expect(idle.filter(({ closed }) => !closed).length).toBeLessThanOrEqual(20));
  const newer = await connectNode(port, two);
  expect(hub.sessions.nodes()).toEqual(['node-one', 'node-two']);
  expect([connected, newer].map(({ socket }) => socket.readyState)).toEqual([1, 1]);
});

test('the oldest idle connection is closed first', async () => {
  const { port } = await start({ perAddress: 3, total: 100 });
  const idle = await openIdle(port, 5, '127.0.0.1');
  await vi.waitFor(() => expect(idle.map(({ closed }) => closed)).toEqual([true, true, false, false, false]));
});

test('of many addresses the one with most connections loses them', async () => {
  const { port } = await start({ perAddress: 10, total: 12 });
  const few = await openIdle(port, 3, '127.0.0.2');
  const many = await openIdle(port, 10, '127.0.0.3');
  await vi.waitFor(() => expect(many.filter(({ closed }) => closed)).toHaveLength(1));
  expect(few.filter(({ closed }) => closed)).toEqual([]);
});

test('idle connections keep no one from the health of the cloud', async () => {
  const options = { conditions: () => ({}), metrics: async () => '', metricsType: 'text/plain', log: silentLogger() };
  const monitor = await startMonitorServer({ ...options, bindAddress: '127.0.0.1:0' });
  cleanups.push(async () => monitor.close());
  const idle = await openIdle(monitor.port, 100, '127.0.0.1');
  await vi.waitFor(() => expect(idle.filter(({ closed }) => !closed)).toHaveLength(64));
  expect((await fetch(`http://127.0.0.1:${monitor.port}/healthz`)).status).toBe(200);
});

async function start(pending: { perAddress: number; total: number }): Promise<TestHub> {
  const testing = await testHub(cloud, { pending, nodeLimit: 5 });
  cleanups.push(async () => testing.close());
  return testing;
}

/** Opens connections one after the other, each accepted by the system before the next. */
async function openIdle(port: number, count: number, localAddress: string): Promise<readonly Socket[]> {
  const sockets: Socket[] = [];
  for (let index = 0; index < count; index += 1) {
    const socket = connect({ host: '127.0.0.1', port, localAddress });
    socket.on('error', () => undefined);
    socket.resume();
    await new Promise((resolve) => socket.once('connect', resolve));
    sockets.push(socket);
    cleanups.push(() => socket.destroy());
  }
  return sockets;
}
