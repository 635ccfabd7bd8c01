import { connectRuntime } from '@fenestra/cri';
import { ContainerState, ContainerStatusResponseSchema, ListContainersResponseSchema } from '@fenestra/cri/messages';
import { answerOf, startTestRuntime } from '@fenestra/cri/testing/test-runtime';
import { LABELS } from '@fenestra/pods';
import { expect, test } from 'vitest';
import { readInstances } from './pod-instances.ts';

const labels = { [LABELS.podUid]: 'u', [LABELS.podName]: 'web', [LABELS.podNamespace]: 'shop' };
const metadata = { name: 'main', attempt: 2 };

test('instances of pods are read, and a start that was given up with its agent is not an end', async () => {
  await using server = await startTestRuntime((method) =>
    method.endsWith('ListContainers')
      ? answerOf(ListContainersResponseSchema, { containers: [{ id: 'c', labels, metadata }, { id: 'foreign' }] })
      : answerOf(ContainerStatusResponseSchema, {
          status: {
            id: 'c',
            state: ContainerState.CONTAINER_EXITED,
            reason: 'StartError',
            message: 'failed to create containerd task: failed to create shim task: context canceled: unknown',
          },
        }),
  );
  const runtime = connectRuntime(server.endpoint);
  const instances = await readInstances(runtime, new AbortController().signal);
  runtime.close();
  const pod = { uid: 'u', name: 'web', namespace: 'shop' };
  expect(instances).toMatchObject([{ pod, id: 'c', name: 'main', attempt: 2, state: 'created' }]);
});
