import { connectRuntime } from '@fenestra/cri';
import {
  ListContainersResponseSchema,
  ListPodSandboxResponseSchema,
  StatusResponseSchema,
} from '@fenestra/cri/messages';
import { answerOf, startTestRuntime } from '@fenestra/cri/testing/test-runtime';
import { silentLogger } from '@fenestra/platform';
import { expect, onTestFinished, test, vi } from 'vitest';
import { watchRuntime } from './runtime-watch.ts';

function watch(endpoint: string) {
  const ending = new AbortController();
  const reasons: (string | undefined)[] = [];
  const runtime = connectRuntime(endpoint);
  const onHealth = (): void => void reasons.push(watched.problem?.message);
  const watched = watchRuntime({ runtime, endpoint, log: silentLogger(), onPod: () => {}, onHealth }, ending.signal);
  onTestFinished(async () => {
    ending.abort();
    await watched.ended;
    runtime.close();
  });
  return { watched, reasons };
}

test('a runtime that was never there is reported, once', async () => {
  const { watched, reasons } = watch('unix:///nowhere/containerd.sock');
  await vi.waitFor(() => expect(reasons).toEqual([expect.stringContaining('/nowhere/containerd.sock')]));
  watched.lookNow();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(reasons).toHaveLength(1);
});

test('a runtime that hangs while it lists what it has is reported', { timeout: 60_000 }, async () => {
  await using server = await startTestRuntime((path) =>
    path.endsWith('Status') ? answerOf(StatusResponseSchema, { status: {} }) : 'silence',
  );
  const { reasons } = watch(server.endpoint);
  const why = /^Cannot list what the container runtime at ".*" has within 15 s$/;
  await vi.waitFor(() => expect(reasons.at(-1)).toMatch(why), { timeout: 30_000 });
});

test('a runtime that answers is reported, with its pods and the node whose agent made them', async () => {
  const labels = { 'io.kubernetes.pod.uid': 'u', 'io.kubernetes.pod.name': 'p', 'io.kubernetes.pod.namespace': 'n' };
  const condition = { type: 'RuntimeReady', status: true };
  await using server = await startTestRuntime((path) => {
    if (path.endsWith('Status')) return answerOf(StatusResponseSchema, { status: { conditions: [condition] } });
    if (path.endsWith('ListContainers')) return answerOf(ListContainersResponseSchema, {});
    const annotations = { 'fenestra.dev/node': 'press-1' };
    if (path.endsWith('ListPodSandbox'))
      return answerOf(ListPodSandboxResponseSchema, { items: [{ id: 's', labels, annotations }] });
    return { status: 12, message: 'unimplemented' };
  });
  const { watched, reasons } = watch(server.endpoint);
  await vi.waitFor(() => expect(reasons).toContain(undefined));
  expect(watched.pods.get('u')).toEqual({ uid: 'u', name: 'p', namespace: 'n', madeBy: 'press-1' });
});
