import { expect, test } from 'vitest';
import type { PodStatus } from '../pod/status-fields.ts';
import { samplePod } from '../testing/sample-pods.ts';
import { type PodInstance, podViews } from './pod-view.ts';

const pod = samplePod();
const identity = { namespace: 'shop', name: 'web', uid: 'uid-1' };
const running: PodStatus = {
  phase: 'Running',
  podIP: '10.0.0.7',
  containerStatuses: [status({ running: { startedAt: '2026-03-01T10:00:00Z' } }, { ready: true })],
};

function status(state: object, more: object = {}) {
  return { name: 'main', image: 'web:1', imageID: '', lastState: {}, ready: false, restartCount: 0, state, ...more };
}

function instance(more: Partial<PodInstance> = {}): PodInstance {
  const times = { createdAt: 1_000, startedAt: 1_000 };
  const image = { image: 'web:1', imageId: '', hash: '' };
  return {
    pod: identity,
    id: 'c0',
    name: 'main',
    sandboxId: 's',
    attempt: 0,
    state: 'running',
    ...times,
    ...image,
    ...more,
  };
}

function viewOf(stored: PodStatus | undefined, instances?: readonly PodInstance[]) {
  return podViews([{ pod, ...(stored && { status: stored }) }], instances)[0];
}

test('a pod that runs is well', () => {
  expect(viewOf(running, [instance()])).toMatchObject({
    ...identity,
    status: 'Running',
    isWell: true,
    ready: 1,
    total: 1,
    restarts: 0,
    ip: '10.0.0.7',
    containers: [{ name: 'main', state: 'running', id: 'c0' }],
  });
});

test('a container that ended while no agent ran is shown as the runtime reports it', () => {
  const view = viewOf(running, [instance({ state: 'exited', exitCode: 137, reason: 'OOMKilled' })]);
  expect(view).toMatchObject({ status: 'OOMKilled', isWell: false, ready: 0 });
  expect(view?.containers[0]).toMatchObject({ state: 'terminated', end: { exitCode: 137, reason: 'OOMKilled' } });
});

test('a container that waits for its restart says so, although its last instance ended', () => {
  const waiting = status({ waiting: { reason: 'CrashLoopBackOff', message: 'back-off 10s' } }, { restartCount: 3 });
  const ended = instance({ attempt: 3, state: 'exited', exitCode: 1 });
  expect(viewOf({ phase: 'Running', containerStatuses: [waiting] }, [ended])).toMatchObject({
    status: 'CrashLoopBackOff',
    message: 'back-off 10s',
    isWell: false,
    restarts: 3,
  });
});

test.each([
  ['nothing was reported yet', undefined, 'Pending', false],
  ['the pod has succeeded', { phase: 'Succeeded' } as const, 'Completed', true],
  [
    'the pod was refused',
    { phase: 'Failed', reason: 'UnsupportedField', message: 'why' } as const,
    'UnsupportedField',
    false,
  ],
])('when %s, the word for it is known', (_, stored, word, isWell) => {
  expect(viewOf(stored)).toMatchObject({ status: word, isWell });
});

test('an init container that fails is shown first', () => {
  const withInit = samplePod({
    initContainers: [{ name: 'first', image: 'a' }],
    containers: [{ name: 'main', image: 'b' }],
  });
  const failed = status({ terminated: { exitCode: 2, reason: 'Error' } }, { name: 'first' });
  const [view] = podViews(
    [{ pod: withInit, status: { phase: 'Pending', initContainerStatuses: [failed] } }],
    undefined,
  );
  expect(view).toMatchObject({ status: 'Init:Error', ready: 0, total: 1 });
});

test('a pod that only the runtime has is shown with what is known of it', () => {
  const other = { namespace: 'a', name: 'left', uid: 'u2' };
  const views = podViews([{ pod, status: running }], [instance(), instance({ pod: other, id: 'c9' })]);
  expect(views.map(({ name }) => name)).toEqual(['left', 'web']);
  expect(views[0]).toMatchObject({ ...other, status: 'Running', isWell: true, containers: [{ id: 'c9' }] });
});
