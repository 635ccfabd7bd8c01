import { connectRuntime } from '@fenestra/cri';
import {
  ContainerState,
  ContainerStatusResponseSchema,
  ListContainersResponseSchema,
  ListPodSandboxResponseSchema,
} from '@fenestra/cri/messages';
import { answerOf, startTestRuntime } from '@fenestra/cri/testing/test-runtime';
import { expect, test } from 'vitest';
import { podObserver } from './observe-pod.ts';

async function stateOf(status: { reason: string; message: string; startedAt?: bigint }): Promise<string | undefined> {
  await using server = await startTestRuntime((method) => {
    if (method.endsWith('ListPodSandbox')) return answerOf(ListPodSandboxResponseSchema, {});
    if (method.endsWith('ListContainers')) return answerOf(ListContainersResponseSchema, { containers: [{ id: 'c' }] });
    return answerOf(ContainerStatusResponseSchema, {
      status: { id: 'c', state: ContainerState.CONTAINER_EXITED, exitCode: 128, ...status },
    });
  });
  const runtime = connectRuntime(server.endpoint);
  try {
    const { containers } = await podObserver(runtime)('uid', new AbortController().signal);
    return containers[0]?.state;
  } finally {
    runtime.close();
  }
}

test.each([
  'failed to create containerd task: failed to create shim task: context canceled: unknown',
  'failed to create containerd task: failed to start shim: start failed: : signal: killed: unknown',
])('an instance whose start was given up with its agent has not been started: %s', async (message) => {
  expect(await stateOf({ reason: 'StartError', message })).toBe('created');
});

test('an instance that could not be started, or that ended, has exited', async () => {
  const message = 'failed to create containerd task: exec: "none": executable file not found in $PATH: unknown';
  expect(await stateOf({ reason: 'StartError', message })).toBe('exited');
  expect(await stateOf({ reason: 'Error', message: 'context canceled', startedAt: 1n })).toBe('exited');
});
