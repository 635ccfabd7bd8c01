import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { KINDS, openKubeApi } from '@fenestra/kube-api';
import { silentLogger } from '@fenestra/platform';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openTestThread } from '../testing/open-test-thread.ts';
import { keepRunning, type KeptApi } from './keep-running.ts';

const WAIT = { timeout: 20_000, interval: 20 };

let folder = '';
let kept: KeptApi | undefined;
const threads: Worker[] = [];
const delays: number[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kept-api-'));
});

afterEach(async () => {
  await kept?.close();
  kept = undefined;
  await rm(folder, { recursive: true });
});

test('a blocked API does not block the process, and its delay is reported', async () => {
  await start();
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 10);
  threads.at(-1)?.postMessage('block');
  await vi.waitFor(() => expect(Math.max(0, ...delays)).toBeGreaterThan(1_000), WAIT);
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(10);
});

test('an API whose thread ends is started again at the same address, with what it had acknowledged', async () => {
  const running = await start();
  const api = await openKubeApi({ kubeconfig: running.api.adminKubeconfig });
  const { signal } = new AbortController();
  const metadata = { name: 'kept', namespace: 'default' };
  await api.create(KINDS.configMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata }, signal);
  await threads.at(-1)?.terminate();
  await vi.waitFor(() => expect(running.restarts()).toBe(1), WAIT);
  expect(running.isRunning()).toBe(true);
  expect(await api.get(KINDS.configMap, metadata, signal)).toMatchObject({ metadata });
  api.close();
});

test('an API that cannot start says why, with code and hint', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const address = taken.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await expect(start(port)).rejects.toMatchObject({ code: 'SYSTEM_CALL_FAILED', hint: /port/ });
  taken.close();
});

async function start(port = 0): Promise<KeptApi> {
  const context = {
    openThread: (options: Parameters<typeof openTestThread>[0]) => {
      const thread = openTestThread(options);
      threads.push(thread);
      return thread;
    },
    log: silentLogger(),
    onDelay: (milliseconds: number) => void delays.push(milliseconds),
  };
  kept = await keepRunning({ folder, address: '127.0.0.1', port }, context, new AbortController().signal);
  return kept;
}
