import { getEventListeners } from 'node:events';
import { expect, test, vi } from 'vitest';
import { KINDS } from '../api-kind.ts';
import { openKubeApi } from '../open-kube-api.ts';
import { answerJson, startTestApiServer } from '../testing/test-api-server.ts';

const OUTAGES = 8;
const QUICKLY = { timeout: 5_000, interval: 2 };

test('after many outages an informer has one watch, one connection and no more listeners than at first', async () => {
  let version = 10;
  const server = await startTestApiServer((request, response) => {
    if (request.url?.includes('watch=true') === true) return response.writeHead(200).flushHeaders();
    answerJson(response, 200, { metadata: { resourceVersion: String(version) }, items: [] });
  });
  const api = await openKubeApi({ kubeconfig: server.kubeconfig });
  const controller = new AbortController();
  const reported: string[] = [];
  const options = { keep: () => undefined, onEvent: ({ type }: { type: string }) => reported.push(type) };
  const informer = api.informer(KINDS.node, options, controller.signal);
  const watching = async (): Promise<void> =>
    vi.waitFor(() => expect(server.watches.size).toBe(1), QUICKLY).then(() => undefined);
  const listeners = (): number => getEventListeners(controller.signal, 'abort').length;
  await watching();
  const atFirst = listeners();

  for (let outage = 0; outage < OUTAGES; outage += 1) {
    version += 1;
    const object = { metadata: { name: `n${outage}`, uid: `n${outage}`, resourceVersion: String(version) } };
    for (const watch of server.watches) watch.write(`${JSON.stringify({ type: 'ADDED', object })}\n`);
    await vi.waitFor(() => expect(reported).toHaveLength(outage + 1), QUICKLY);
    server.cut();
    await vi.waitFor(() => expect(server.watches.size).toBe(0), QUICKLY);
    await watching();
  }
  expect(listeners()).toBeLessThanOrEqual(atFirst);
  expect(await server.open()).toBe(1);
  controller.abort();
  await informer.stopped;
  expect(listeners()).toBe(0);
  api.close();
  await server.close();
});
