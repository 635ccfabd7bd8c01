import { madeByNode } from '@fenestra/contracts/objects';
import { withRuntime } from '@fenestra/cri';
import {
  ContainerState,
  ListContainersResponseSchema,
  ListPodSandboxResponseSchema,
  VersionResponseSchema,
} from '@fenestra/cri/messages';
import { type Answer, answerOf, startTestRuntime } from '@fenestra/cri/testing/test-runtime';
import { expect, test } from 'vitest';
import { removeOwnPods, type SparedPods } from './remove-own-pods.ts';

const { signal } = new AbortController();
const SANDBOXES = ['a', 'b', 'c', 'd', 'e', 'f'];
/** The others were made by a kubelet. */
const MADE_BY: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  a: madeByNode('press-1'),
  b: madeByNode('press-2'),
};

const LISTS: Readonly<Record<string, Uint8Array>> = {
  Version: answerOf(VersionResponseSchema, { runtimeName: 'containerd', runtimeVersion: '1.6.20' }),
  ListPodSandbox: answerOf(ListPodSandboxResponseSchema, {
    items: SANDBOXES.map((id) => ({ id, labels: podOf(id), annotations: MADE_BY[id] ?? {} })),
  }),
  ListContainers: answerOf(ListContainersResponseSchema, {
    containers: SANDBOXES.map((id) => ({
      id: `${id}1`,
      podSandboxId: id,
      state: ContainerState.CONTAINER_RUNNING,
      labels: podOf(id),
    })),
  }),
};

function podOf(id: string): Record<string, string> {
  return { 'io.kubernetes.pod.uid': id, 'io.kubernetes.pod.name': id, 'io.kubernetes.pod.namespace': 'default' };
}

interface Course {
  readonly failure: unknown;
  readonly said: readonly string[];
  readonly steps: readonly string[];
  readonly calls: readonly string[];
}

async function runWith(orders: (order: string) => Answer, limitMs = 30_000, spared: SparedPods = {}): Promise<Course> {
  const [said, steps, calls]: [string[], string[], string[]] = [[], [], []];
  await using server = await startTestRuntime((path, message) => {
    const method = path.slice(path.indexOf('/') + 1);
    const listed = LISTS[method];
    if (listed !== undefined) return listed;
    // The id is the request's first field: a tag, its length, itself.
    const order = `${method} ${message.subarray(2, 2 + (message[1] ?? 0)).toString()}`;
    calls.push(order);
    return orders(order);
  });
  const reported = {
    say: (text: string) => said.push(text),
    progress: (done: number, total: number) => steps.push(`${done}/${total}`),
  };
  const remove = withRuntime(
    server.endpoint,
    async (runtime) => removeOwnPods(runtime, reported, AbortSignal.timeout(limitMs), spared),
    signal,
  );
  const failure = await remove.catch((error: unknown) => error);
  return { failure, said, steps, calls };
}

test('every pod is stopped in order, then removed, and each removal is reported', async () => {
  const { failure, said, steps, calls } = await runWith(() => new Uint8Array());
  expect(failure).toBeUndefined();
  expect(said[0]).toBe('stopping 6 pod(s), within 30 s');
  expect(said.slice(1).toSorted()).toEqual(SANDBOXES.map((id) => `removed the pod default/${id}`));
  expect(steps).toEqual(['1/6', '2/6', '3/6', '4/6', '5/6', '6/6']);
  expect(calls.filter((call) => call.includes(' a'))).toEqual([
    'StopContainer a1',
    'StopPodSandbox a',
    'RemovePodSandbox a',
  ]);
});

test('pods that resist do not save the others, and all of them are named', async () => {
  const stuck = ['StopPodSandbox b', 'RemovePodSandbox e'];
  const { failure, said } = await runWith((order) =>
    stuck.includes(order) ? { status: 2, message: `no ${order}` } : new Uint8Array(),
  );
  expect(said.slice(1).toSorted()).toEqual(['a', 'c', 'd', 'f'].map((id) => `removed the pod default/${id}`));
  expect(failure).toMatchObject({
    code: 'RUNTIME_UNUSABLE',
    message: expect.stringMatching(/^Cannot remove 2 of 6 pods:/),
  });
  for (const order of stuck) expect(String(failure)).toContain(`refuses to work: no ${order}`);
});

test('a container that does not stop goes with its sandbox, and one that is gone already is fine', async () => {
  const { failure, said } = await runWith((order) => {
    if (order === 'StopContainer c1') return { status: 2, message: 'unkillable' };
    return order.endsWith(' d') ? { status: 5, message: 'not found' } : new Uint8Array();
  });
  expect(failure).toBeUndefined();
  expect(said).toHaveLength(7);
});

test('a runtime that stops answering costs the time limit once, not once a pod', async () => {
  const begun = performance.now();
  const { failure } = await runWith(() => 'silence', 2_000);
  expect(failure).toMatchObject({
    message: expect.stringMatching(/^Cannot remove 6 of 6 pods:.*does not answer in time/s),
  });
  expect(performance.now() - begun).toBeLessThan(8_000);
});

test('a node that shares the runtime removes only the pods that its agent made', async () => {
  const { failure, said } = await runWith(() => new Uint8Array(), undefined, { notMadeBy: 'press-1' });
  expect(failure).toBeUndefined();
  expect(said).toEqual(['stopping 1 pod(s), within 30 s', 'removed the pod default/a']);
});
