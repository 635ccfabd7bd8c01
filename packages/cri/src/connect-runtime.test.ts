import { expect, test, vi } from 'vitest';
import { decode } from './codec.ts';
import { connectRuntime, withRuntime } from './connect-runtime.ts';
import type { ContainerRuntime } from './container-runtime.ts';
import { GRPC_STATUS } from './grpc/failure.ts';
import {
  CgroupDriver,
  ContainerStatusResponseSchema,
  CreateContainerRequestSchema,
  ImageStatusResponseSchema,
  PullImageRequestSchema,
  PullImageResponseSchema,
  RuntimeConfigResponseSchema,
  StatusResponseSchema,
  VersionResponseSchema,
} from './messages.ts';
import { type Answer, answerOf, startTestRuntime } from './testing/test-runtime.ts';

const { signal } = new AbortController();
const VERSION = answerOf(VersionResponseSchema, { runtimeName: 'containerd', runtimeVersion: '1.6.20' });
const EMPTY = new Uint8Array();
const NOT_FOUND = { status: GRPC_STATUS.NOT_FOUND, message: 'not found' };
const UNIMPLEMENTED = { status: GRPC_STATUS.UNIMPLEMENTED, message: 'unknown service' };

test('a runtime that supports only v1alpha2 is called as that once its version is known', async () => {
  await using server = await startTestRuntime((method) => {
    if (!method.startsWith('runtime.v1alpha2.')) return UNIMPLEMENTED;
    return method.endsWith('/Version') ? VERSION : EMPTY;
  });
  await withRuntime(
    server.endpoint,
    async (runtime, { speaks }) => {
      expect(speaks).toBe('v1alpha2');
      expect(await runtime.listSandboxes({}, signal)).toEqual([]);
      expect(await runtime.listImages(signal)).toEqual([]);
    },
    signal,
  );
  expect(server.calls).toEqual([
    'runtime.v1.RuntimeService/Version',
    'runtime.v1alpha2.RuntimeService/Version',
    'runtime.v1alpha2.RuntimeService/ListPodSandbox',
    'runtime.v1alpha2.ImageService/ListImages',
  ]);
});

test('an old runtime that was replaced is called by the new name when its version is asked for again', async () => {
  let known = 'runtime.v1alpha2.';
  await using server = await startTestRuntime((method) => (method.startsWith(known) ? VERSION : UNIMPLEMENTED));
  const runtime = connectRuntime(server.endpoint);
  expect(await runtime.version(signal)).toMatchObject({ speaks: 'v1alpha2' });
  known = 'runtime.v1.';
  expect(await runtime.version(signal)).toMatchObject({ speaks: 'v1' });
  runtime.close();
});

async function answering<Result>(
  answer: (method: string, message: Buffer) => Answer,
  use: (runtime: ReturnType<typeof connectRuntime>) => Promise<Result>,
): Promise<Result> {
  await using server = await startTestRuntime((path, message) => answer(path.slice(path.indexOf('/') + 1), message));
  const runtime = connectRuntime(server.endpoint);
  try {
    return await use(runtime);
  } finally {
    runtime.close();
  }
}

test('what is gone is stopped and removed already, and undefined to a question', async () => {
  await answering(
    () => NOT_FOUND,
    async (runtime) => {
      await runtime.stopContainer('a', 1, signal);
      await runtime.removeContainer('a', signal);
      await runtime.stopSandbox('a', signal);
      await runtime.removeSandbox('a', signal);
      await runtime.removeImage({ image: 'a' }, signal);
      expect(await runtime.containerStatus('a', signal)).toBeUndefined();
      expect(await runtime.sandboxStatus('a', signal)).toBeUndefined();
      await expect(runtime.startContainer('a', signal)).rejects.toMatchObject(NOT_FOUND);
    },
  );
});

test('a task that keeps a container from being removed is removed first', async () => {
  const held = { status: GRPC_STATUS.UNKNOWN, message: 'cannot delete running task a: failed precondition' };
  const asked: string[] = [];
  await answering(
    (method) => {
      asked.push(method);
      return method === 'RemoveContainer' && asked.length === 1 ? held : NOT_FOUND;
    },
    async (runtime) => runtime.removeContainer('a', signal),
  );
  expect(asked).toEqual(['RemoveContainer', 'Delete', 'RemoveContainer']);
});

test('any other refusal is an error of every call', async () => {
  const failing = { status: GRPC_STATUS.UNKNOWN, message: 'shim gone' };
  await answering(
    () => failing,
    async (runtime) => {
      await expect(runtime.stopContainer('a', 1, signal)).rejects.toMatchObject(failing);
      await expect(runtime.containerStatus('a', signal)).rejects.toMatchObject(failing);
      await expect(runtime.cgroupDriver(signal)).rejects.toMatchObject(failing);
    },
  );
});

test.each([
  ['systemd', answerOf(RuntimeConfigResponseSchema, { linux: { cgroupDriver: CgroupDriver.SYSTEMD } })],
  ['cgroupfs', answerOf(RuntimeConfigResponseSchema, { linux: { cgroupDriver: CgroupDriver.CGROUPFS } })],
  [undefined, EMPTY],
  [undefined, UNIMPLEMENTED],
])('the driver of control groups is %s', async (driver, answer) => {
  expect(
    await answering(
      () => answer,
      async (runtime) => runtime.cgroupDriver(signal),
    ),
  ).toBe(driver);
});

test('conditions and handlers of a status are returned, and an empty status has none', async () => {
  const conditions = [{ type: 'RuntimeReady', status: true }];
  const full = answerOf(StatusResponseSchema, { status: { conditions }, runtimeHandlers: [{ name: 'runc' }] });
  expect(await readStatus(full)).toMatchObject({ conditions, handlers: [{ name: 'runc' }] });
  expect(await readStatus(EMPTY)).toEqual({ conditions: [], handlers: [] });
});

async function readStatus(answer: Answer): Promise<unknown> {
  return answering(
    () => answer,
    async (runtime) => runtime.status(signal),
  );
}

test('a container and an image that the answer does not contain are undefined', async () => {
  const answers: Readonly<Record<string, Uint8Array>> = {
    ContainerStatus: answerOf(ContainerStatusResponseSchema, {}),
    ImageStatus: answerOf(ImageStatusResponseSchema, {}),
  };
  await answering(
    (method) => answers[method] ?? UNIMPLEMENTED,
    async (runtime) => {
      expect(await runtime.containerStatus('a', signal)).toBeUndefined();
      expect(await runtime.imageStatus({ image: 'a' }, signal)).toBeUndefined();
    },
  );
});

function answerLate(): Answer {
  vi.advanceTimersByTime(1_000_000);
  return EMPTY;
}

test.each([
  ['has as long as it needs', 0, { exitCode: 0 }],
  ['is given up long after its own limit', 1, { name: 'OperatorError' }],
])('a command with %s', async (_, timeoutSeconds, expected) => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    const run = async (runtime: ContainerRuntime): Promise<unknown> =>
      runtime.execSync('a', ['sleep'], timeoutSeconds, signal).catch((error: unknown) => error);
    expect(await answering(answerLate, run)).toMatchObject(expected);
  } finally {
    vi.useRealTimers();
  }
});

test('requests carry what they were given', async () => {
  const requests: Record<string, Buffer> = {};
  const answer = (method: string, message: Buffer): Uint8Array => {
    requests[method] = message;
    return method === 'PullImage' ? answerOf(PullImageResponseSchema, { imageRef: 'sha256:1' }) : EMPTY;
  };
  const sandboxConfig = { metadata: { name: 'web' } };
  await answering(answer, async (runtime) => {
    const config = { metadata: { name: 'main', attempt: 2 }, envs: [{ key: 'A', value: 'ü' }] };
    await runtime.createContainer('s', config, sandboxConfig, signal);
    expect(await runtime.pullImage({ image: 'x' }, { username: 'u' }, sandboxConfig, signal)).toBe('sha256:1');
  });
  expect(decode(CreateContainerRequestSchema, requests['CreateContainer'] ?? EMPTY)).toMatchObject({
    podSandboxId: 's',
    config: { metadata: { name: 'main', attempt: 2 }, envs: [{ key: 'A', value: 'ü' }] },
    sandboxConfig,
  });
  expect(decode(PullImageRequestSchema, requests['PullImage'] ?? EMPTY)).toMatchObject({
    image: { image: 'x' },
    auth: { username: 'u' },
    sandboxConfig,
  });
});

test('a stream of events that the server ends is a lost connection', async () => {
  await answering(
    () => EMPTY,
    async (runtime) => {
      const seen: number[] = [];
      const read = async (): Promise<void> => {
        for await (const { containerEventType } of runtime.events(signal)) seen.push(containerEventType);
      };
      await expect(read()).rejects.toMatchObject({ name: 'ConnectionLost' });
      expect(seen).toEqual([0]);
    },
  );
});
