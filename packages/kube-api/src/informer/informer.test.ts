import type { ServerResponse } from 'node:http';
import { afterEach, expect, test, vi } from 'vitest';
import { KINDS } from '../api-kind.ts';
import { openKubeApi } from '../open-kube-api.ts';
import { answerJson, startTestApiServer } from '../testing/test-api-server.ts';

const cleanups: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

const node = (name: string, resourceVersion: string, uid = name) => ({ metadata: { name, uid, resourceVersion } });

/** A server with a list of nodes, and an informer that notes what it gets. */
async function startFollowing() {
  let items = [node('a', '1'), node('b', '2')];
  let refuse: ((response: ServerResponse) => void) | undefined;
  const server = await startTestApiServer((request, response) => {
    if (refuse !== undefined) return refuse(response);
    if (request.url?.includes('watch=true') === true) return response.writeHead(200).flushHeaders();
    answerJson(response, 200, { metadata: { resourceVersion: '10' }, items });
  });
  const api = await openKubeApi({ kubeconfig: server.kubeconfig });
  const controller = new AbortController();
  const reported: string[] = [];
  const troubles: unknown[] = [];
  const informer = api.informer(
    KINDS.node,
    {
      keep: (object) => object.metadata.name,
      onEvent: (event) => reported.push(`${event.type} ${event.kept}`),
      onTrouble: (error) => troubles.push(error),
    },
    controller.signal,
  );
  cleanups.push(
    () => server.close(),
    () => api.close(),
    () => controller.abort(),
  );
  return {
    server,
    informer,
    reported,
    troubles,
    controller,
    setItems: (next: typeof items) => (items = next),
    setRefusal: (next: typeof refuse) => (refuse = next),
    tell: (type: string, object: object) =>
      server.watches.forEach((watch) => watch.write(`${JSON.stringify({ type, object })}\n`)),
    watching: () => vi.waitFor(() => expect(server.watches.size).toBe(1), { timeout: 5_000, interval: 5 }),
  };
}

const lists = (requests: readonly string[]) => requests.filter((request) => !request.includes('watch=true')).length;

test('an informer lists, then reports every change once', async () => {
  const { informer, reported, tell, watching } = await startFollowing();
  await informer.whenSynced();
  await watching();
  tell('ADDED', node('c', '11'));
  tell('MODIFIED', node('a', '12'));
  tell('MODIFIED', node('a', '12'));
  tell('DELETED', node('b', '13'));
  await vi.waitFor(() => expect(reported).toHaveLength(5));
  expect(reported).toEqual(['added a', 'added b', 'added c', 'changed a', 'deleted b']);
  expect([...informer.values()]).toEqual(['a', 'c']);
});

test('after a cut connection the watch goes on at the last version, without a new list', async () => {
  const { server, reported, tell, watching } = await startFollowing();
  await watching();
  tell('BOOKMARK', node('', '77'));
  await vi.waitFor(() => expect(reported).toHaveLength(2));
  await new Promise((resolve) => setTimeout(resolve, 20));
  server.cut();
  await vi.waitFor(() => expect(server.watches.size).toBe(0));
  await watching();
  expect(lists(server.requests)).toBe(1);
  expect(server.requests.at(-1)).toContain('resourceVersion=77');
  expect(reported).toEqual(['added a', 'added b']);
});

test('after 410 the informer lists again and shows what changed in the meantime', async () => {
  const { server, reported, tell, watching, setItems } = await startFollowing();
  await watching();
  setItems([node('a', '20'), node('c', '21'), node('b', '22', 'b-again')]);
  tell('ERROR', { kind: 'Status', status: 'Failure', code: 410, reason: 'Expired', message: 'too old' });
  await vi.waitFor(() => expect(reported).toHaveLength(6), { timeout: 3_000 });
  expect(reported.slice(2)).toEqual(['changed a', 'added c', 'deleted b', 'added b']);
  setItems([]);
  await watching();
  tell('ERROR', { kind: 'Status', status: 'Failure', code: 410, reason: 'Expired', message: 'too old' });
  await vi.waitFor(() => expect(reported).toHaveLength(9), { timeout: 3_000 });
  expect(lists(server.requests)).toBe(3);
});

test('a server that is away when the informer starts is waited for', async () => {
  const { informer, troubles, setRefusal } = await startFollowing();
  setRefusal((response) => answerJson(response, 503, {}));
  await vi.waitFor(() => expect(troubles.length).toBeGreaterThan(0));
  expect(informer.synced).toBe(false);
  setRefusal(undefined);
  await informer.whenSynced();
  expect(informer.size).toBe(2);
});

test('a line that is not JSON ends the watch and the informer goes on', async () => {
  const { server, troubles, watching, reported, tell } = await startFollowing();
  await watching();
  const [broken] = server.watches;
  broken?.write('{"type": "ADD\n');
  await vi.waitFor(() => expect(troubles).toHaveLength(1));
  const another = (): boolean => [...server.watches].some((watch) => watch !== broken);
  await vi.waitFor(() => expect(another()).toBe(true), { timeout: 3_000 });
  tell('ADDED', node('c', '11'));
  await vi.waitFor(() => expect(reported).toContain('added c'));
});

test('aborting stops the informer and leaves no connection behind', async () => {
  const { server, informer, controller, watching } = await startFollowing();
  await watching();
  server.cut();
  await watching();
  controller.abort();
  await informer.stopped;
  await vi.waitFor(() => expect(server.watches.size).toBe(0));
  expect(await server.open()).toBeLessThanOrEqual(1);
});

test('a server that ends watches at once is not asked in a tight loop', async () => {
  const { server, setRefusal, watching } = await startFollowing();
  await watching();
  setRefusal((response) => response.writeHead(200).end());
  server.cut();
  const before = server.requests.length;
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(server.requests.length - before).toBeLessThan(6);
});
