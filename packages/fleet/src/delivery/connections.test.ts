import { expect, test } from 'vitest';
import { openConnections } from './connections.ts';
import { localHosts } from './testing/local-hosts.ts';
import { testNode } from './testing/test-node.ts';

const { signal } = new AbortController();
const most = { light: 3, heavy: 1 };
const log = (): void => undefined;

test.each([
  { kind: 'direct', more: {}, kept: 3 },
  { kind: 'through a jump host', more: { jumps: [localHosts({ shell: [], env: {} }).target] }, kept: 1 },
  { kind: 'by the system', more: { transport: 'system' as const }, kept: 1 },
])('connections that are $kind are kept for the next part of the work, $kept of them', async ({ more, kept }) => {
  const hosts = localHosts({ shell: ['sh', '-c'], env: {} });
  const connections = openConnections(hosts, most);
  const nodes = ['a', 'b', 'c', 'd'].map((name) => testNode({ ...hosts.target, ...more, name }, ['join']));
  for (const node of nodes) await connections.use({ node, log }, async () => undefined, signal);
  expect(hosts.connections).toBe(4);
  for (const node of nodes.slice(-kept)) await connections.use({ node, log }, async () => undefined, signal);
  expect(hosts.connections).toBe(4);
  for (const node of nodes.slice(0, 1)) await connections.use({ node, log }, async () => undefined, signal);
  expect(hosts.connections).toBe(5);
  await connections.close();
});

test('what there is to tell about a connection is told when it is made', async () => {
  const hosts = localHosts({ shell: ['sh', '-c'], env: {} });
  const connections = openConnections(
    { connect: async (target) => ({ ...(await hosts.connect(target, signal)), remark: 'by a detour' }) },
    most,
  );
  const told: string[] = [];
  const user = { node: testNode(hosts.target, ['join']), log: (line: string) => void told.push(line) };
  for (let part = 0; part < 2; part += 1) await connections.use(user, async () => undefined, signal);
  expect(told).toEqual(['by a detour']);
  await connections.close();
});

test.each([
  { kind: 'direct', more: {}, isWaitedFor: false },
  { kind: 'by the system', more: { transport: 'system' as const }, isWaitedFor: true },
])('the goodbye of a connection that is $kind: waited for at once: $isWaitedFor', async ({ more, isWaitedFor }) => {
  const local = localHosts({ shell: ['sh', '-c'], env: {} });
  const goodbye = Promise.withResolvers<void>();
  const close = async (): Promise<void> => goodbye.promise;
  const connections = openConnections(
    { connect: async (target) => ({ ...(await local.connect(target, signal)), close }) },
    most,
  );
  const node = testNode({ ...local.target, ...more }, ['join']);
  await connections.use({ node, log }, async () => undefined, signal);
  const ended: string[] = [];
  const dropped = connections.drop(node).then(() => ended.push('drop'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(ended).toEqual(isWaitedFor ? [] : ['drop']);
  const closed = connections.close().then(() => ended.push('close'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(ended).not.toContain('close');
  goodbye.resolve();
  await Promise.all([dropped, closed]);
  expect(ended).toEqual(['drop', 'close']);
});
