import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../testing/test-api.ts';

const COUNT = 125;
const DATA = 'x'.repeat(100_000);
const PATH = '/api/v1/namespaces/default/configmaps';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
  for (let n = 0; n < COUNT; n += 1) {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `m${n}` }, data: { a: DATA } };
    expect((await api.admin.send('POST', PATH, { body })).status).toBe(201);
  }
});

afterAll(async () => api.stop());

test('every one of 125 ConfigMaps of 100 kB is updated by clients that keep one connection', async () => {
  await Promise.all([0, 1, 2].map(update));
});

test.each([
  ['a list', `GET ${PATH} HTTP/1.1`],
  ['a watch that ends', `GET ${PATH}?watch=true&timeoutSeconds=1 HTTP/1.1`],
])('a connection whose client reads slowly outlives %s and takes the next request', async (_name, request) => {
  const socket = await dial();
  socket.write(head(request, 0));
  await delay(500);
  // The socket of the server is full by now.
  const body = JSON.stringify({ metadata: { annotations: { a: 'y'.repeat(200_000) } } });
  socket.write(head(`PATCH ${PATH}/m1 HTTP/1.1`, body.length) + body);
  await delay(200);
  let tail = '';
  let bytes = 0;
  for await (const chunk of socket) {
    bytes += Buffer.from(chunk).length;
    tail = (tail + String(chunk)).slice(-1000);
    if (bytes < 2_000_000) await delay(1);
    if (bytes > COUNT * DATA.length + 200_000 && tail.includes('yyyyy')) break;
  }
  expect(bytes).toBeGreaterThan(COUNT * DATA.length + 200_000);
});

test('changes that a client sends without waiting for the answers are all made', async () => {
  const socket = await dial();
  const body = JSON.stringify({ metadata: { annotations: { a: 'z'.repeat(120_000) } } });
  const changes = Array.from({ length: 10 }, (_, n) => head(`PATCH ${PATH}/m${n} HTTP/1.1`, body.length) + body);
  socket.write(
    head(`GET ${PATH}?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3Dnone HTTP/1.1`, 0) + changes.join(''),
  );
  let text = '';
  for await (const chunk of socket) {
    text += String(chunk);
    if (text.split('HTTP/1.1 200 OK').length > 11 && text.endsWith('}')) break;
  }
  expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(11);
});

test('a connection with more requests than any client sends is closed', async () => {
  const socket = await dial();
  const closed = new Promise((resolve) => void socket.on('error', () => {}).once('close', resolve));
  socket.resume();
  socket.write(head('GET /version HTTP/1.1', 0).repeat(2000));
  await closed;
  expect((await api.admin.send('GET', '/version')).status).toBe(200);
});

/** Updates every third object, one after the other. */
async function update(first: number): Promise<void> {
  for (let n = first; n < COUNT; n += 3) {
    const body = [{ op: 'add', path: '/data/b', value: String(n) }];
    const answer = await api.admin.send('PATCH', `${PATH}/m${n}`, { body, type: 'application/json-patch+json' });
    expect([answer.status, answer.text.includes(DATA)]).toEqual([200, true]);
  }
}

async function dial(): Promise<TLSSocket> {
  const { hostname, port } = new URL(api.kubelite.url);
  const { certificate, key } = api.context.identity.admin;
  const ca = api.kubelite.caCertificate;
  const socket = connect({ host: hostname, port: Number(port), ca, cert: certificate, key });
  await once(socket, 'secureConnect');
  return socket;
}

function head(request: string, length: number): string {
  const type = 'Content-Type: application/merge-patch+json\r\n';
  return `${request}\r\nHost: localhost\r\n${type}Content-Length: ${length}\r\n\r\n`;
}
