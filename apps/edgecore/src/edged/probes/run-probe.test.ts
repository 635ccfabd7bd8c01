import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createNetServer, type Server } from 'node:net';
import { GRPC_STATUS, connectRuntime } from '@fenestra/cri';
import { ExecSyncResponseSchema } from '@fenestra/cri/messages';
import { type Answer, answerOf, startTestRuntime } from '@fenestra/cri/testing/test-runtime';
import type { JsonObject } from '@fenestra/kernel';
import { probeAction } from '@fenestra/pods';
import { afterEach, expect, test } from 'vitest';
import { containerOf } from '../testing/pods.ts';
import { type ProbeResult, runProbe } from './run-probe.ts';

const { signal } = new AbortController();
const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

async function portOf(server: Server): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function probe(handler: JsonObject, answer: Answer = 'silence'): Promise<ProbeResult & { calls: number }> {
  await using server = await startTestRuntime(() => answer);
  const runtime = connectRuntime(server.endpoint);
  const container = containerOf({ livenessProbe: handler });
  if (container.livenessProbe === undefined) throw new Error('no probe');
  const action = probeAction(container, container.livenessProbe, '127.0.0.1');
  try {
    const result = await runProbe(runtime, action, { id: 'c', timeoutSeconds: 1 }, signal);
    return { ...result, calls: server.calls.length };
  } finally {
    runtime.close();
  }
}

async function probeHttp(listener: RequestListener, path = '/', headers: { name: string; value: string }[] = []) {
  const port = await portOf(createServer(listener));
  return probe({ httpGet: { port, path, httpHeaders: headers } });
}

const exec = { exec: { command: ['check'] } };

test('a command succeeds with the exit code 0', async () => {
  const answer = answerOf(ExecSyncResponseSchema, { stdout: Buffer.from('well'), exitCode: 0 });
  expect(await probe(exec, answer)).toMatchObject({ outcome: 'success', output: 'well', calls: 1 });
  const failed = answerOf(ExecSyncResponseSchema, { stderr: Buffer.alloc(20_000, 'x'), exitCode: 2 });
  expect(await probe(exec, failed)).toMatchObject({ outcome: 'failure', output: 'x'.repeat(10_240), calls: 1 });
});

test('a command that takes too long fails', async () => {
  const answer = { status: GRPC_STATUS.DEADLINE_EXCEEDED, message: 'timeout' };
  expect(await probe(exec, answer)).toMatchObject({ outcome: 'failure', calls: 1 });
});

test('a command that cannot be run is tried three times and says nothing', async () => {
  const answer = { status: GRPC_STATUS.UNKNOWN, message: 'no such program' };
  expect(await probe(exec, answer)).toMatchObject({ outcome: 'error', output: 'no such program', calls: 3 });
});

test.each([
  [200, 'success'],
  [304, 'success'],
  [404, 'failure'],
  [500, 'failure'],
])('an answer over HTTP with the status %i is a %s', async (status, outcome) => {
  expect(await probeHttp((_, response) => response.writeHead(status).end('body'))).toMatchObject({ outcome });
});

test('headers of the probe replace the usual ones', async () => {
  const seen: unknown[] = [];
  await probeHttp(
    ({ headers }, response) => {
      seen.push(headers.host, headers['user-agent'], headers.accept, headers['x-one']);
      response.end();
    },
    '/',
    [
      { name: 'Host', value: 'shop.example' },
      { name: 'X-One', value: '1' },
    ],
  );
  expect(seen).toEqual(['shop.example', 'kube-probe/1.32', '*/*', '1']);
});

const LOCAL: RequestListener = ({ url }, response) => {
  if (url === '/') response.writeHead(302, { location: '/next' }).end();
  else response.writeHead(503).end();
};
const ELSEWHERE: RequestListener = (_, response) => response.writeHead(301, { location: 'http://192.0.2.1/' }).end();
const CIRCLE: RequestListener = (_, response) => response.writeHead(301, { location: '/' }).end();
const ENDLESS: RequestListener = (_, response) => void response.write('x'.repeat(100_000));

test.each([
  ['on the same host is followed', LOCAL, 'failure', 'HTTP probe failed with statuscode: 503'],
  ['to another host is a success', ELSEWHERE, 'success', 'Probe terminated redirects, Response body: '],
  ['to itself fails', CIRCLE, 'failure', 'stopped after 10 redirects'],
])('a redirect %s', async (_, listener, outcome, output) => {
  expect(await probeHttp(listener)).toMatchObject({ outcome, output });
});

test('a redirect that is not followed is a warning', async () => {
  expect(await probeHttp(ELSEWHERE)).toMatchObject({ isWarning: true });
  expect(await probeHttp(ENDLESS)).not.toHaveProperty('isWarning');
});

test('a body without an end does not matter', async () => {
  expect(await probeHttp(ENDLESS)).toMatchObject({ outcome: 'success', output: 'x'.repeat(10_240) });
});

test('a server that does not answer in time fails the probe', async () => {
  expect(await probeHttp(() => undefined)).toMatchObject({ outcome: 'failure' });
});

test('a port is probed by a connection to it', async () => {
  const port = await portOf(createNetServer((socket) => socket.end()));
  expect(await probe({ tcpSocket: { port } })).toMatchObject({ outcome: 'success' });
  servers.splice(0).forEach((server) => server.close());
  expect(await probe({ tcpSocket: { port } })).toMatchObject({ outcome: 'failure' });
  expect(await probe({ httpGet: { port } })).toMatchObject({ outcome: 'failure' });
  expect(await probe({ grpc: { port } })).toMatchObject({ outcome: 'failure' });
});

test('a handler that makes no request says nothing about the container', async () => {
  expect(await probe({ httpGet: { port: 'none' } })).toMatchObject({ outcome: 'error' });
  const header = { name: 'bad header', value: 'x' };
  expect(await probeHttp((_, response) => response.end(), '/', [header])).toMatchObject({ outcome: 'error' });
});
