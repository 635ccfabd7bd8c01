import { connectRuntime } from '@fenestra/cri';
import { ContainerState, ContainerStatusResponseSchema } from '@fenestra/cri/messages';
import { answerOf, startTestRuntime } from '@fenestra/cri/testing/test-runtime';
import { expect, test } from 'vitest';
import { isRunning } from './logs.command.ts';

const { signal } = new AbortController();
const NOT_READY = { status: 2, message: 'server is not initialized yet' };

function answerWith(state: ContainerState) {
  return answerOf(ContainerStatusResponseSchema, { status: { id: 'c', state } });
}

test('a log is followed while its runtime restarts, and until it reports the end of the instance', async () => {
  let state = ContainerState.CONTAINER_RUNNING;
  let isReady = true;
  const server = await startTestRuntime(() => (isReady ? answerWith(state) : NOT_READY));
  const runtime = connectRuntime(server.endpoint);
  expect(await isRunning(runtime, { id: 'c' }, signal)).toBe(true);
  isReady = false;
  expect(await isRunning(runtime, { id: 'c' }, signal)).toBe(true);
  isReady = true;
  state = ContainerState.CONTAINER_EXITED;
  expect(await isRunning(runtime, { id: 'c' }, signal)).toBe(false);
  await server[Symbol.asyncDispose]();
  expect(await isRunning(runtime, { id: 'c' }, signal)).toBe(true);
  runtime.close();
});

test('a log is not followed without an instance, and an interruption ends it', async () => {
  const runtime = connectRuntime('unix:///no/such.sock');
  expect(await isRunning(runtime, {}, signal)).toBe(false);
  await expect(isRunning(runtime, { id: 'c' }, AbortSignal.abort())).rejects.toThrow('Interrupted');
  runtime.close();
});
