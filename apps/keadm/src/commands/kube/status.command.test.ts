import type { WorkerStatus } from '@fenestra/worker';
import { expect, test } from 'vitest';
import { isWorking, workerStatusText } from './status.command.ts';

const node = {
  ready: 'True',
  readyReason: '',
  readyMessage: '',
  schedulable: true,
  kubeletVersion: 'v1.33.1',
  labels: {},
  annotations: {},
} as const;
const joined: WorkerStatus = {
  service: { state: 'running', pid: 7 },
  ownService: true,
  version: 'v1.33.1',
  nodeName: 'worker-1',
  server: 'https://c:6443',
  certificateExpires: '2027-01-01T00:00:00.000Z',
  criSocket: 'unix:///run/containerd/containerd.sock',
  joined: true,
  prepared: true,
  cluster: { node },
};

test('a worker that works is reported with its node, cluster and certificate', () => {
  expect(isWorking(joined)).toBe(true);
  expect(workerStatusText(joined)).toBe(
    [
      'kubelet      running, process 7',
      'version      v1.33.1',
      'node         worker-1',
      'cluster      https://c:6443',
      'certificate  valid until 2027-01-01T00:00:00.000Z',
      'runtime      unix:///run/containerd/containerd.sock',
      'ready        yes',
    ].join('\n'),
  );
});

test('a node that is not ready says why, and does not work', () => {
  const status = { ...joined, cluster: { node: { ...node, ready: 'False', readyMessage: 'no CNI' } } } as const;
  expect(isWorking(status)).toBe(false);
  expect(workerStatusText(status)).toContain('ready        no: no CNI');
});

test('a cluster that cannot be asked is not a reason to say nothing', () => {
  const status = { ...joined, cluster: { unknown: 'it does not answer' } };
  expect(isWorking(status)).toBe(false);
  expect(workerStatusText(status)).toContain('unknown: it does not answer');
});

test('a prepared machine and a bare one get a hint for the next step', () => {
  const prepared: WorkerStatus = { ...joined, joined: false, cluster: undefined, service: { state: 'stopped' } };
  expect(workerStatusText(prepared)).toContain('To join a cluster, run "keadm kube join"');
  const bare: WorkerStatus = { ...prepared, prepared: false, service: { state: 'absent' } };
  expect(workerStatusText(bare)).toMatch(/^worker {7}none/);
});
