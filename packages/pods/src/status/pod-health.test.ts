import { expect, test } from 'vitest';
import type { Pod } from '../pod/pod.ts';
import type { ContainerStatus, PodStatus } from '../pod/status-fields.ts';
import { samplePod } from '../testing/sample-pods.ts';
import { podHealth } from './pod-health.ts';

const NOW = Date.parse('2030-01-01T12:00:00Z');
const up: ContainerStatus = {
  name: 'main',
  image: '',
  imageID: '',
  lastState: {},
  ready: true,
  restartCount: 0,
  state: { running: { startedAt: '2030-01-01T11:59:00Z' } },
};
const waiting: ContainerStatus = { ...up, state: { waiting: { reason: 'CrashLoopBackOff' } } };

function judge(status: Partial<PodStatus>, pod: Pod = samplePod({})): unknown {
  return podHealth(pod, { phase: 'Running', containerStatuses: [up], ...status }, NOW);
}

test('a pod whose containers run is running', () => {
  expect(judge({})).toEqual({ state: 'running' });
});

function restarted(startedAt: string): ContainerStatus[] {
  return [{ ...up, restartCount: 3, state: { running: { startedAt } } }];
}

test('a pod that restarted a minute ago is unsettled, one that restarted long ago is not', () => {
  expect(judge({ containerStatuses: restarted('2030-01-01T11:59:00Z') })).toEqual({ state: 'unsettled' });
  expect(judge({ containerStatuses: restarted('2030-01-01T11:00:00Z') })).toEqual({ state: 'running' });
});

test('a pod that is not to be restarted is unsettled while it runs', () => {
  const pod = samplePod({});
  expect(judge({}, { ...pod, spec: { ...pod.spec, restartPolicy: 'Never' } })).toEqual({ state: 'unsettled' });
});

test.each<[string, Partial<PodStatus>, string]>([
  ['a container in back-off', { containerStatuses: [up, waiting] }, 'CrashLoopBackOff'],
  ['nothing started yet', { phase: 'Pending', containerStatuses: [] }, 'Pending'],
  ['a refusal', { phase: 'Failed', reason: 'OutOfcpu', containerStatuses: [] }, 'OutOfcpu'],
])('a pod with %s is not running, and says why', (_what, status, reason) => {
  expect(judge(status)).toEqual({ state: 'notRunning', reason });
});

test('a pod that is deleted or has done its work has ended', () => {
  const pod = samplePod({});
  const deleted = { ...pod, metadata: { ...pod.metadata, deletionTimestamp: '2030-01-01T11:59:00Z' } };
  expect(judge({}, deleted)).toEqual({ state: 'ended' });
  expect(judge({ phase: 'Succeeded' })).toEqual({ state: 'ended' });
});
