import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectRuntime, type ContainerRuntime } from '@fenestra/cri';
import { ExecSyncResponseSchema } from '@fenestra/cri/messages';
import { type Answer, answerOf, startTestRuntime } from '@fenestra/cri/testing/test-runtime';
import type { JsonObject } from '@fenestra/kernel';
import { silentLogger } from '@fenestra/platform';
import { expect, test } from 'vitest';
import { NO_EVENTS } from './events/event-recorder.ts';
import { hooks, type Hooks } from './hooks.ts';
import { containerOf, podOf } from './testing/pods.ts';

const { signal } = new AbortController();
const SUCCESS = answerOf(ExecSyncResponseSchema, {});
const FAILURE = answerOf(ExecSyncResponseSchema, { exitCode: 3, stderr: Buffer.from('no\n') });

interface Called {
  readonly calls: string[];
  /** The timeouts of the stops, in seconds. */
  readonly timeouts: number[];
}

/** Uses the hooks with a runtime that answers commands in this way. */
async function withHooks(answer: Answer, use: (hooks: Hooks, called: Called) => Promise<void>): Promise<void> {
  const called: Called = { calls: [], timeouts: [] };
  await using server = await startTestRuntime((path) => {
    const method = path.slice(path.indexOf('/') + 1);
    called.calls.push(method);
    return method === 'ExecSync' ? answer : new Uint8Array();
  });
  const runtime = connectRuntime(server.endpoint);
  const stopContainer: ContainerRuntime['stopContainer'] = async (id, seconds, until) => {
    called.timeouts.push(seconds);
    await runtime.stopContainer(id, seconds, until);
  };
  try {
    await use(hooks({ ...runtime, stopContainer }, { log: silentLogger(), events: NO_EVENTS }, signal), called);
  } finally {
    runtime.close();
  }
}

function targetOf(lifecycle: JsonObject) {
  return { id: 'c1', pod: podOf(), container: containerOf({ lifecycle }), address: '127.0.0.1' };
}

const exec = { exec: { command: ['hook'] } };

test('the hook after the start runs to its end, and its failure says why', async () => {
  const target = targetOf({ postStart: exec });
  await withHooks(SUCCESS, async (made, { calls }) => {
    await made.postStart(target, signal);
    await made.postStart(targetOf({}), signal);
    expect(calls).toEqual(['ExecSync']);
  });
  await withHooks(FAILURE, async (made) => {
    await expect(made.postStart(target, signal)).rejects.toThrow('the command exited with 3: no');
    const tcp = targetOf({ postStart: { tcpSocket: { port: 1 } } });
    await expect(made.postStart(tcp, signal)).rejects.toThrow('a hook of the kind "tcp" cannot be run');
    const seconds = performance.now();
    await made.postStart(targetOf({ postStart: { sleep: { seconds: 1 } } }), signal);
    expect(performance.now() - seconds).toBeGreaterThan(900);
  });
});

test('whatever a server answers to a hook, it was asked', async () => {
  const server = createServer((_, response) => response.writeHead(500).end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const target = targetOf({ postStart: { httpGet: { port: address.port } } });
  await withHooks(SUCCESS, async (made) => made.postStart(target, signal));
  server.close();
  await withHooks(SUCCESS, async (made) => {
    await expect(made.postStart(target, signal)).rejects.toThrow('ECONNREFUSED');
  });
});

test('the hook before the stop takes its time from the grace period', async () => {
  const target = targetOf({ preStop: { sleep: { seconds: 1 } } });
  await withHooks(SUCCESS, async (made, { timeouts }) => {
    await made.stop('c1', 30, target, signal);
    expect(timeouts).toEqual([29]);
  });
});

test('a hook that fails does not keep a container from being stopped', async () => {
  await withHooks(FAILURE, async (made, { calls }) => {
    await made.stop('c1', 30, targetOf({ preStop: exec }), signal);
    expect(calls).toEqual(['ExecSync', 'StopContainer']);
  });
});

test('a hook that takes longer than the grace period leaves the container two seconds', async () => {
  await withHooks('silence', async (made, { timeouts }) => {
    await made.stop('c1', 1, targetOf({ preStop: exec }), signal);
    expect(timeouts).toEqual([2]);
  });
});

test('without a grace period, or without the pod, no hook runs', async () => {
  await withHooks(SUCCESS, async (made, { calls, timeouts }) => {
    await made.stop('c1', 0, targetOf({ preStop: exec }), signal);
    await made.stop('c2', 30, undefined, signal);
    expect(calls).toEqual(['StopContainer', 'StopContainer']);
    expect(timeouts).toEqual([0, 30]);
  });
});

test('a shorter grace period does not run the hook a second time', async () => {
  await withHooks('silence', async (made, { calls, timeouts }) => {
    const target = targetOf({ preStop: exec });
    const round = new AbortController();
    const first = made.stop('c1', 30, target, round.signal);
    await sleep(100);
    round.abort();
    await expect(first).rejects.toThrow();
    await made.stop('c1', 1, target, signal);
    expect(calls).toEqual(['ExecSync', 'StopContainer']);
    expect(timeouts).toEqual([2]);
  });
});
