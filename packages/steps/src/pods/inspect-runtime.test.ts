import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StatusResponseSchema, VersionResponseSchema } from '@fenestra/cri/messages';
import { type Answer, answerOf, startTestRuntime } from '@fenestra/cri/testing/test-runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inspectRuntime } from './inspect-runtime.ts';

const { signal } = new AbortController();
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fenestra-inspect-'));
});
afterAll(async () => rm(folder, { recursive: true, force: true }));

const VERSION = answerOf(VersionResponseSchema, { runtimeName: 'containerd', runtimeVersion: '1.6.20' });
const UNKNOWN_SERVICE = { status: 12, message: 'unknown service runtime.v1.RuntimeService' };

function status(...conditions: readonly { type: string; status: boolean; message?: string }[]): Uint8Array {
  return answerOf(StatusResponseSchema, { status: { conditions: [...conditions] } });
}

async function inspectAnswering(answers: Readonly<Record<string, Answer>>): Promise<unknown> {
  await using runtime = await startTestRuntime((method) => answers[method] ?? UNKNOWN_SERVICE);
  return await inspectRuntime(runtime.endpoint, signal);
}

test('a runtime that is ready is usable, and says who it is', async () => {
  const report = await inspectAnswering({
    'runtime.v1.RuntimeService/Version': VERSION,
    'runtime.v1.RuntimeService/Status': status(
      { type: 'RuntimeReady', status: true },
      { type: 'NetworkReady', status: true },
    ),
  });
  expect(report).toEqual({ usable: true, version: 'containerd 1.6.20' });
});

test('a runtime without a pod network is usable, with a problem and what to do about it', async () => {
  const report = await inspectAnswering({
    'runtime.v1.RuntimeService/Version': VERSION,
    'runtime.v1.RuntimeService/Status': status(
      { type: 'RuntimeReady', status: true },
      { type: 'NetworkReady', status: false, message: 'cni plugin not initialized' },
    ),
  });
  expect(report).toEqual({
    usable: true,
    version: 'containerd 1.6.20',
    problem: 'has no network for pods: cni plugin not initialized',
    remedy: expect.stringContaining('CNI'),
  });
});

test('a runtime that is not ready is not usable', async () => {
  const report = await inspectAnswering({
    'runtime.v1.RuntimeService/Version': VERSION,
    'runtime.v1.RuntimeService/Status': status({ type: 'RuntimeReady', status: false, message: 'shim gone' }),
  });
  expect(report).toMatchObject({ usable: false, version: 'containerd 1.6.20', problem: 'is not ready: shim gone' });
});

test('a CRI plugin that is switched off is recognised', async () => {
  expect(await inspectAnswering({})).toMatchObject({
    usable: false,
    problem: expect.stringContaining('CRI plugin is switched off'),
    remedy: expect.stringContaining('disabled_plugins'),
  });
});

test('a runtime that speaks only v1alpha2 gets a hint to update it', async () => {
  const old = {
    'runtime.v1alpha2.RuntimeService/Version': VERSION,
    'runtime.v1alpha2.RuntimeService/Status': status(),
  };
  expect(await inspectAnswering(old)).toEqual({
    usable: false,
    version: 'containerd 1.6.20',
    problem: 'supports only CRI v1alpha2, not v1',
    remedy: expect.stringContaining('1.6'),
  });
});

test('a runtime that fails says why, in its own words', async () => {
  const failing = { 'runtime.v1.RuntimeService/Version': { status: 13, message: 'plattentod ü 100%' } };
  expect(await inspectAnswering(failing)).toMatchObject({
    usable: false,
    problem: 'refuses to work: plattentod ü 100%',
  });
});

test('an answer that is not protobuf is not a usable runtime', async () => {
  const garbage = { 'runtime.v1.RuntimeService/Version': Buffer.from('ffffff', 'hex') };
  expect(await inspectAnswering(garbage)).toMatchObject({
    usable: false,
    problem: expect.stringContaining('Cannot read'),
  });
});

test('a silent runtime runs into the time limit', async () => {
  await using runtime = await startTestRuntime(() => 'silence');
  const report = await inspectRuntime(runtime.endpoint, AbortSignal.timeout(100));
  expect(report).toMatchObject({ usable: false, problem: 'does not answer in time' });
});

test('an interruption is not a verdict on the runtime', async () => {
  await using runtime = await startTestRuntime(() => 'silence');
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 20);
  await expect(inspectRuntime(runtime.endpoint, controller.signal)).rejects.toMatchObject({ code: 'INTERRUPTED' });
});

test.each(['no-such.sock', 'left-behind.sock', 'a-file'])('nothing listens at %s', async (name) => {
  const path = join(folder, name);
  if (name === 'left-behind.sock') await leaveSocketBehind(path);
  if (name === 'a-file') await writeFile(path, '');
  expect(await inspectRuntime(path, signal)).toMatchObject({
    usable: false,
    problem: expect.stringContaining('is not there'),
    remedy: expect.stringContaining('Install containerd'),
  });
});

/** As a runtime that was killed does: it never gets to take its socket away. */
async function leaveSocketBehind(path: string): Promise<void> {
  const listen =
    'require("node:net").createServer().listen(process.argv[1], () => process.kill(process.pid, "SIGKILL"))';
  await once(spawn(process.execPath, ['--eval', listen, path]), 'exit');
}

test("Docker's own socket, which speaks HTTP/1, is distinguished", async () => {
  const path = join(folder, 'docker.sock');
  const server = createHttpServer((_request, response) => response.end('{}')).listen(path);
  await once(server, 'listening');
  const report = await inspectRuntime(path, signal);
  server.closeAllConnections();
  server.close();
  expect(report).toMatchObject({ usable: false, remedy: expect.stringContaining('cri-dockerd') });
});

test('a peer that hangs up is there, but broken', async () => {
  const path = join(folder, 'hangs-up.sock');
  const server = createServer((socket) => socket.end()).listen(path);
  await once(server, 'listening');
  const report = await inspectRuntime(path, signal);
  server.close();
  expect(report).toMatchObject({ usable: false, problem: 'broke the connection' });
});

test('an endpoint that names no socket is explained', async () => {
  expect(await inspectRuntime('tcp://127.0.0.1:1', signal)).toMatchObject({
    usable: false,
    remedy: expect.stringContaining('unix:///run/containerd'),
  });
});
