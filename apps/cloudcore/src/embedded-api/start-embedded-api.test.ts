import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { KINDS, openKubeApi } from '@fenestra/kube-api';
import { silentLogger } from '@fenestra/platform';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestThread } from '../testing/open-test-thread.ts';
import { keepRunning, type KeptApi } from './start-embedded-api.ts';

const WAIT = { timeout: 20_000, interval: 20 };

let folder = '';
let kept: KeptApi;
const threads: Worker[] = [];
const delays: number[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kept-api-'));
  kept = await start(folder);
});

afterAll(async () => {
  await kept.close();
  await rm(folder, { recursive: true });
});

test('a blocked API does not block the process, and its delay is reported', async () => {
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 10);
  threads.at(-1)?.postMessage('block');
  await vi.waitFor(() => expect(Math.max(0, ...delays)).toBeGreaterThan(1_000), WAIT);
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(10);
});

test('an API whose thread ends is started again at the same address, with what it had acknowledged', async () => {
  const api = await openKubeApi({ kubeconfig: kept.api.adminKubeconfig });
  const { signal } = new AbortController();
  const metadata = { name: 'kept', namespace: 'default' };
  await api.create(KINDS.configMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata }, signal);
  await threads.at(-1)?.terminate();
  await vi.waitFor(() => expect(kept.restarts()).toBe(1), WAIT);
  expect(kept.isRunning()).toBe(true);
  expect(await api.get(KINDS.configMap, metadata, signal)).toMatchObject({ metadata });
  api.close();
});

test('an API that cannot start says why, with code and hint', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const address = taken.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await expect(start(await mkdtemp(join(folder, 'other-')), port)).rejects.toMatchObject({
    code: 'SYSTEM_CALL_FAILED',
    hint: /port/,
  });
  taken.close();
});

async function start(place: string, port = 0): Promise<KeptApi> {
  const context = {
    openThread: (options: Parameters<typeof openTestThread>[0]) => {
      const thread = openTestThread(options);
      threads.push(thread);
      return thread;
    },
    log: silentLogger(),
    onDelay: (milliseconds: number) => void delays.push(milliseconds),
  };
  return keepRunning({ folder: place, address: '127.0.0.1', port }, context, new AbortController().signal);
}
