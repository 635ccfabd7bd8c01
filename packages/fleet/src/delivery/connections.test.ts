import { expect, test } from 'vitest';
import { openConnections } from './connections.ts';
import { localHosts } from './testing/local-hosts.ts';
import { testNode } from './testing/test-node.ts';

const { signal } = new AbortController();
const mostIdle = 3;
const log = (): void => undefined;

test('the connections that were used last are kept for the next part of the work', async () => {
  const hosts = localHosts({ shell: ['sh', '-c'], env: {} });
  const connections = openConnections(hosts, mostIdle);
  const nodes = ['a', 'b', 'c', 'd'].map((name) => testNode({ ...hosts.target, name }, ['join']));
  for (const node of nodes) await connections.use({ node, log }, async () => undefined, signal);
  expect(hosts.connections).toBe(4);
  for (const node of nodes.slice(-mostIdle)) await connections.use({ node, log }, async () => undefined, signal);
  expect(hosts.connections).toBe(4);
  for (const node of nodes.slice(0, 1)) await connections.use({ node, log }, async () => undefined, signal);
  expect(hosts.connections).toBe(5);
  await connections.close();
});

test('what there is to tell about a connection is said when it is made', async () => {
  const hosts = localHosts({ shell: ['sh', '-c'], env: {} });
  const connections = openConnections(
    { connect: async (target) => ({ ...(await hosts.connect(target, signal)), remark: 'by a detour' }) },
    mostIdle,
  );
  const reported: string[] = [];
  const user = { node: testNode(hosts.target, ['join']), log: (line: string) => void reported.push(line) };
  for (let part = 0; part < 2; part += 1) await connections.use(user, async () => undefined, signal);
  expect(reported).toEqual(['by a detour']);
  await connections.close();
});
