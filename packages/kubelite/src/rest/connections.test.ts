import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestApi, type TestApi } from '../testing/test-api.ts';

const ALLOWED = 512;
const OPENED = 600;

let api: TestApi;
const idle: Socket[] = [];

beforeAll(async () => void (api = await startTestApi()));
afterAll(async () => {
  for (const socket of idle) socket.destroy();
  await api.stop();
});

test('connections that prove nothing are limited, and keep neither new callers nor known ones out', async () => {
  const known = api.admin.send('GET', '/api/v1/namespaces/default');
  expect((await known).status).toBe(200);
  const { hostname, port } = new URL(api.kubelite.url);
  for (let count = 0; count < OPENED; count += 1) idle.push(await opened(hostname, Number(port)));
  await vi.waitFor(() => expect(idle.filter(({ closed }) => !closed)).toHaveLength(ALLOWED), { timeout: 5_000 });
  expect((await api.admin.send('GET', '/api/v1/namespaces/default')).status).toBe(200);
});

async function opened(host: string, port: number): Promise<Socket> {
  const socket = connect({ host, port });
  socket.on('error', () => undefined);
  socket.resume();
  await new Promise((resolve) => socket.once('connect', resolve));
  return socket;
}
