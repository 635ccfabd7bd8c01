import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askHealthz, healthzUrl } from './judge-kubelet.ts';

const { signal } = new AbortController();
let status = 200;
const server = createServer((_request, response) => response.writeHead(status).end('ok'));
let url: string;

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  url = healthzUrl({ address: '127.0.0.1', port: typeof address === 'object' ? (address?.port ?? 0) : 0 });
});
afterAll(() => void server.close());

test('only 200 is well', async () => {
  expect(await askHealthz(url, signal)).toBe('ok');
  status = 500;
  expect(await askHealthz(url, signal)).toBe('it answers 500');
});

test('no one there is no failure of ours', async () => {
  expect(await askHealthz('http://127.0.0.1:1/healthz', signal)).toBe('connection refused');
});

test.each([
  ['127.0.0.1', 'http://127.0.0.1:10248/healthz'],
  ['0.0.0.0', 'http://127.0.0.1:10248/healthz'],
  ['::', 'http://[::1]:10248/healthz'],
  ['fd00::1', 'http://[fd00::1]:10248/healthz'],
])('a kubelet that listens at %s is asked at %s', (address, expected) => {
  expect(healthzUrl({ address, port: 10248 })).toBe(expected);
});
