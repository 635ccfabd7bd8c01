import { expect, test } from 'vitest';
import type { ClusterNode } from '@fenestra/session';
import { judgeKubelet, type KubeletGoal, type KubeletSight } from './judge-kubelet.ts';

const NO_NETWORK =
  'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized';
const since = new Date('2026-01-01T00:00:00Z');
const lastSeen = new Date('2026-01-01T00:00:01Z');
const url = 'http://127.0.0.1:10248/healthz';

const node = (more: Partial<ClusterNode> = {}): ClusterNode => ({
  ready: 'True',
  readyReason: '',
  readyMessage: '',
  schedulable: true,
  kubeletVersion: 'v1.33.1',
  labels: {},
  annotations: {},
  ...more,
});

function judge(sight: Partial<KubeletSight>, goal: Partial<KubeletGoal> = {}) {
  const well: KubeletSight = {
    service: { state: 'running', pid: 7 },
    firstPid: 7,
    healthz: { url, answer: 'ok' },
    cluster: { node: node(), lastSeen },
  };
  return judgeKubelet({ ...well, ...sight }, { node: 'w', wants: 'ready', version: null, since, ...goal });
}

const of = (more: Partial<ClusterNode>) => ({ cluster: { node: node(more), lastSeen } });

test('a kubelet that runs, is well and has a ready node works', () => {
  expect(judge({})).toEqual({ state: 'healthy' });
  expect(judge({ healthz: undefined })).toEqual({ state: 'healthy' });
});

test.each([
  [{ state: 'failed', exitCode: 1 }, 'its service is failed with exit code 1'],
  [{ state: 'stopped' }, 'its service is stopped'],
  [{ state: 'running', pid: 8 }, 'its process ended and was started again'],
] as const)('a kubelet whose service is %j has ended by itself', (service, reason) => {
  expect(judge({ service })).toEqual({ state: 'hopeless', reason, code: 'SERVICE_FAILED' });
});

test.each<[string, Partial<KubeletSight>]>([
  ['waiting for the service to run', { service: { state: 'starting' } }],
  [
    `waiting for the kubelet to be well at ${url}: connection refused`,
    { healthz: { url, answer: 'connection refused' } },
  ],
  ['waiting for the cluster: no certificate', { cluster: { trouble: 'no certificate' } }],
  ['waiting for the node "w" to be registered', { cluster: { node: undefined, lastSeen } }],
  [
    'waiting for the node to be ready: PLEG is not healthy',
    of({ ready: 'False', readyMessage: 'PLEG is not healthy' }),
  ],
  ['waiting for the node to be ready: no reason reported', of({ ready: 'Unknown' })],
])('%s', (reason, sight) => {
  expect(judge(sight)).toEqual({ state: 'waiting', reason });
});

test('trap 14: a ready node of an earlier life proves nothing', () => {
  const before = new Date(since.getTime() - 1);
  for (const seen of [before, undefined]) {
    expect(judge({ cluster: { node: node(), lastSeen: seen } })).toEqual({
      state: 'waiting',
      reason: 'waiting for the node "w" to report to the cluster',
    });
  }
});

test('after an upgrade the node has to report the new version', () => {
  expect(judge({}, { version: 'v1.34.0' })).toMatchObject({
    state: 'waiting',
    reason: expect.stringContaining('v1.33.1'),
  });
  expect(judge({}, { version: 'v1.33.1' })).toEqual({ state: 'healthy' });
});

test('a node that waits for nothing but its network plugin is good enough, unless it is to be ready', () => {
  const sight = of({ ready: 'False', readyMessage: NO_NETWORK });
  expect(judge(sight, { wants: 'registered' })).toEqual({ state: 'healthy', waitsForNetwork: NO_NETWORK });
  expect(judge(sight)).toMatchObject({ state: 'waiting' });
});

test('a node that waits for its network plugin and for something else is not', () => {
  const sight = of({ ready: 'False', readyMessage: `[${NO_NETWORK}, PLEG is not healthy]` });
  expect(judge(sight, { wants: 'registered' })).toMatchObject({ state: 'waiting' });
});
