import { expect, test } from 'vitest';
import { openConnections } from './connections.ts';
import { localHosts } from './testing/local-hosts.ts';
import { testNode } from './testing/test-node.ts';

const { signal } = new AbortController();
const most = { light: 3, heavy: 1 };

test.each([
  { kind: 'direct', more: {}, kept: 3 },
  { kind: 'through a jump host', more: { jumps: [localHosts({ shell: [], env: {} }).target] }, kept: 1 },
  { kind: 'by the system', more: { transport: 'system' as const }, kept: 1 },
])('connections that are $kind are kept for the next part of the work, $kept of them', async ({ more, kept }) => {
  const hosts = localHosts({ shell: ['sh', '-c'], env: {} });
  const connections = openConnections(hosts, most);
  const nodes = ['a', 'b', 'c', 'd'].map((name) => testNode({ ...hosts.target, ...more, name }, ['join']));
  for (const node of nodes) await connections.use(node, async () => undefined, signal);
  expect(hosts.connections).toBe(4);
  for (const node of nodes.slice(-kept)) await connections.use(node, async () => undefined, signal);
  expect(hosts.connections).toBe(4);
  for (const node of nodes.slice(0, 1)) await connections.use(node, async () => undefined, signal);
  expect(hosts.connections).toBe(5);
  await connections.close();
});
