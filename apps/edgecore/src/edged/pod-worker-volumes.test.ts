import { containerHash, type Pod, podProblemText, readPod } from '@fenestra/pods';
import { silentLogger } from '@fenestra/platform';
import { expect, onTestFinished, test, vi } from 'vitest';
import { NO_EVENTS } from './events/event-recorder.ts';
import type { PodObservation } from './observe-pod.ts';
import { type PodActs, PodWorker } from './pod-worker.ts';

const START = 1_000_000;
const MAIN = { name: 'main', image: 'web:1' };

function samplePod(): Pod {
  const reading = readPod({ metadata: { name: 'web', namespace: 'shop', uid: 'uid-1' }, spec: { containers: [MAIN] } });
  if ('pod' in reading) return reading.pod;
  throw new Error(reading.problems.map(podProblemText).join());
}

/** What the runtime has of the pod: everything that it asks for. */
function observed(): PodObservation {
  const sandbox = { id: 's', attempt: 0, ready: true, createdAt: START, ips: ['10.0.0.2'], hostNetwork: false };
  const container = {
    id: 'c',
    name: 'main',
    sandboxId: 's',
    attempt: 0,
    state: 'running' as const,
    createdAt: START,
    startedAt: START,
    image: 'web:1',
    imageId: 'web@sha256:0',
    hash: containerHash(MAIN),
    annotations: {},
  };
  return { sandboxes: [sandbox], containers: [container] };
}

async function unexpected(): Promise<never> {
  return Promise.reject(new Error('nothing of this pod is to change'));
}

/** Runs a worker whose pod runs already, and counts how often its volumes are brought up to date. */
function runningWorker(refresh: () => Promise<number | undefined>) {
  const clock = { now: START };
  const refreshed: number[] = [];
  const acts: PodActs = {
    createSandbox: unexpected,
    startContainer: unexpected,
    runPostStart: unexpected,
    killContainer: unexpected,
    stopSandbox: unexpected,
    removeContainer: unexpected,
    releasePod: unexpected,
    refreshVolumes: async () => {
      refreshed.push(clock.now);
      return refresh();
    },
  };
  const worker = new PodWorker(samplePod(), {
    acts,
    observe: async () => observed(),
    records: { get: () => undefined, uids: () => [], put: () => {}, delete: () => {} },
    reporter: { report: () => {}, reportEnd: () => {}, repeat: () => {}, forget: () => {} },
    log: silentLogger(),
    events: NO_EVENTS,
    now: () => clock.now,
    loggedAttempts: async () => new Map(),
    probes: {
      runtime: { execSync: unexpected },
      log: silentLogger(),
      events: NO_EVENTS,
      hostIps: () => [],
      random: () => 0,
      agentStartedAt: 0,
    },
    random: () => 0,
    node: { hostIps: [], runtimeName: 'containerd' },
  });
  const ending = new AbortController();
  const ended = worker.run(ending.signal);
  onTestFinished(async () => {
    ending.abort();
    await ended;
  });
  return { worker, clock, refreshed };
}

async function settled(worker: PodWorker): Promise<void> {
  worker.wake();
  await new Promise((resolve) => setTimeout(resolve, 20));
}

test('the volumes of a running pod are brought up to date at the start, when something changes, and when it is time', async () => {
  const { worker, clock, refreshed } = runningWorker(async () => clock.now + 1_000);
  await vi.waitFor(() => expect(refreshed).toEqual([START]));
  await settled(worker);
  expect(refreshed).toHaveLength(1);
  worker.refreshVolumes();
  await vi.waitFor(() => expect(refreshed).toHaveLength(2));
  clock.now += 999;
  await settled(worker);
  expect(refreshed).toHaveLength(2);
  clock.now += 1;
  await vi.waitFor(() => expect(refreshed).toEqual([START, START, START + 1_000]), 5_000);
});

test('a clock that was set back does not delay the next time', async () => {
  const { worker, clock, refreshed } = runningWorker(async () => clock.now + 1_000);
  await vi.waitFor(() => expect(refreshed).toHaveLength(1));
  clock.now -= 86_400_000;
  await settled(worker);
  await vi.waitFor(() => expect(refreshed).toEqual([START, START - 86_400_000]));
});

test('volumes that cannot be brought up to date are tried again', async () => {
  const { worker, clock, refreshed } = runningWorker(async () => Promise.reject(new Error('no')));
  await vi.waitFor(() => expect(refreshed).toHaveLength(1));
  await settled(worker);
  expect(refreshed).toHaveLength(1);
  clock.now += 60_000;
  await settled(worker);
  await vi.waitFor(() => expect(refreshed).toHaveLength(2));
});

test('the volumes of a running pod are brought up to date when its labels change', async () => {
  const { worker, refreshed } = runningWorker(async () => undefined);
  await vi.waitFor(() => expect(refreshed).toHaveLength(1));
  const { metadata, ...pod } = worker.pod;
  worker.update({ ...pod, metadata: { ...metadata, labels: { line: '7' } } });
  await vi.waitFor(() => expect(refreshed).toHaveLength(2));
});
