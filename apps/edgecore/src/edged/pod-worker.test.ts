import type { JsonObject } from '@fenestra/kernel';
import { GRPC_STATUS, GrpcFailure } from '@fenestra/cri';
import { silentLogger } from '@fenestra/platform';
import type { ObservedContainer, ObservedSandbox, PodStatus } from '@fenestra/pods';
import { expect, test, vi } from 'vitest';
import type { PodEvents } from './events/event-recorder.ts';
import type { PodRecord } from './pod-record.ts';
import { type PodActs, PodWorker, type PodWorkerOptions } from './pod-worker.ts';
import { observedRunning, podOf } from './testing/pods.ts';

const KILLED = 137;

/** What a node has of one pod, and what was done to it. */
class Node implements PodActs {
  readonly done: string[] = [];
  readonly statuses: PodStatus[] = [];
  /** What was recorded, as `reason: message`. */
  readonly recorded: string[] = [];
  readonly sandboxes: ObservedSandbox[] = [];
  readonly containers = new Map<string, ObservedContainer>();
  /** How the hook after a start goes. */
  hook: (signal: AbortSignal) => Promise<void> = async () => {};
  /** How probes by a command go. */
  exitCode = 0;

  async createSandbox(): Promise<void> {
    const sandbox = { id: 's', attempt: 0, ready: true, createdAt: Date.now(), ips: ['127.0.0.1'], hostNetwork: false };
    this.sandboxes.push(sandbox);
  }

  async startContainer(...[, { name, attempt }]: Parameters<PodActs['startContainer']>): Promise<string> {
    const id = `${name}-${attempt}`;
    this.done.push(`start ${id}`);
    this.containers.set(id, { ...observedRunning(name, Date.now()), id, attempt });
    return id;
  }

  async runPostStart(...[, , , signal]: Parameters<PodActs['runPostStart']>): Promise<void> {
    await this.hook(signal);
  }

  async killContainer(...[, { id }]: Parameters<PodActs['killContainer']>): Promise<void> {
    this.done.push(`kill ${id}`);
    const instance = this.containers.get(id);
    if (instance) {
      this.containers.set(id, { ...instance, state: 'exited', exitCode: KILLED, finishedAt: Date.now() });
    }
  }

  async stopSandbox(id: string): Promise<void> {
    this.done.push(`stop ${id}`);
    this.sandboxes.length = 0;
  }

  async removeContainer(): Promise<void> {}
  async refreshVolumes(): Promise<undefined> {}
  async releasePod(): Promise<void> {}

  get options(): PodWorkerOptions {
    const records = new Map<string, PodRecord>();
    const report = (_: unknown, status: PodStatus): void => void this.statuses.push(status);
    const execSync = async () => ({ exitCode: this.exitCode, stdout: Buffer.of(), stderr: Buffer.of() });
    const log = silentLogger();
    const events: PodEvents = {
      record: (_pod, { reason, message }) => void this.recorded.push(`${reason}: ${message}`),
    };
    return {
      acts: this,
      log,
      events,
      observe: async () => ({
        sandboxes: [...this.sandboxes],
        containers: Array.from(this.containers.values(), (each) => ({ ...each, annotations: {} })),
      }),
      records: {
        get: (uid) => records.get(uid),
        uids: () => [...records.keys()],
        put: (uid, record) => void records.set(uid, record),
        delete: (uid) => void records.delete(uid),
      },
      reporter: { report, reportEnd: report, repeat: () => {}, forget: () => {} },
      loggedAttempts: async () => new Map([['main', 3]]),
      probes: { runtime: { execSync }, log, events, hostIps: () => [], random: () => 0, agentStartedAt: 0 },
      now: () => Date.now(),
      random: () => 0,
      node: { hostIps: [], runtimeName: 'containerd' },
    };
  }

  get container() {
    return this.statuses.at(-1)?.containerStatuses?.[0];
  }
}

async function withWorker(
  container: JsonObject,
  use: (node: Node, worker: PodWorker) => Promise<void>,
  prepare: (node: Node) => void = () => {},
): Promise<void> {
  const node = new Node();
  prepare(node);
  const pod = podOf({ containers: [{ name: 'main', image: 'web:1', ...container }] });
  const worker = new PodWorker(pod, node.options);
  const ending = new AbortController();
  const ended = worker.run(ending.signal);
  try {
    await use(node, worker);
  } finally {
    ending.abort();
    await ended;
  }
}

const HOOK = { lifecycle: { postStart: { exec: { command: ['hook'] } } } };
const PROBE = { exec: { command: ['check'] }, periodSeconds: 1, failureThreshold: 1 };

test('a container whose log is still there is counted on from it', async () => {
  await withWorker({}, async (node) => {
    await vi.waitFor(() => expect(node.container).toMatchObject({ ready: true, restartCount: 4 }));
    expect(node.done).toEqual(['start main-4']);
  });
});

test('a container has not started before its hook ended', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await withWorker(
    HOOK,
    async (node) => {
      await vi.waitFor(() => expect(node.container?.state).toHaveProperty('running'));
      expect(node.container).toMatchObject({ started: false, ready: false });
      resolve();
      await vi.waitFor(() => expect(node.container).toMatchObject({ started: true, ready: true }));
      expect(node.done).toEqual(['start main-4']);
    },
    (node) => (node.hook = async () => promise),
  );
});

test('a container whose hook fails is stopped, and its status says why', async () => {
  await withWorker(
    HOOK,
    async (node) => {
      await vi.waitFor(() =>
        expect(node.container?.state).toEqual({ waiting: { reason: 'PostStartHookError', message: 'no' } }),
      );
      expect(node.done.slice(0, 2)).toEqual(['start main-4', 'kill main-4']);
    },
    (node) =>
      (node.hook = async () => {
        throw new Error('no');
      }),
  );
});

test('a pod that is to stop does not wait for a hook', async () => {
  await withWorker(
    HOOK,
    async (node, worker) => {
      await vi.waitFor(() => expect(node.done).toEqual(['start main-4']));
      worker.stop({ cause: 'removed' });
      await vi.waitFor(() => expect(node.done).toEqual(['start main-4', 'kill main-4', 'stop s']));
    },
    (node) =>
      (node.hook = async (signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))),
  );
});

test('a container is ready as long as its probe says so', async () => {
  await withWorker(
    { readinessProbe: PROBE },
    async (node) => {
      await vi.waitFor(() => expect(node.container).toMatchObject({ started: true, ready: false }));
      node.exitCode = 0;
      await vi.waitFor(() => expect(node.container).toMatchObject({ ready: true }), 3000);
      node.exitCode = 1;
      await vi.waitFor(() => expect(node.container).toMatchObject({ ready: false }), 3000);
    },
    (node) => (node.exitCode = 1),
  );
});

test('a container whose liveness probe fails is started again', async () => {
  await withWorker({ livenessProbe: PROBE }, async (node) => {
    await vi.waitFor(() => expect(node.container).toMatchObject({ ready: true }));
    node.exitCode = 1;
    await vi.waitFor(() => expect(node.done).toContain('start main-5'), 3000);
    expect(node.done.slice(0, 3)).toEqual(['start main-4', 'kill main-4', 'start main-5']);
  });
});

test('every failed run of a probe and the failed hook of a container are recorded', async () => {
  await withWorker(
    HOOK,
    async (node) => {
      await vi.waitFor(() => expect(node.recorded).toEqual(['FailedPostStartHook: PostStartHook failed']));
    },
    (node) => (node.hook = async () => Promise.reject(new Error('secret'))),
  );
  await withWorker(
    { readinessProbe: { ...PROBE, failureThreshold: 5 } },
    async (node) => {
      const failure = 'Unhealthy: Readiness probe failed: ';
      await vi.waitFor(() => expect(node.recorded).toEqual([failure, failure]), 5000);
    },
    (node) => (node.exitCode = 1),
  );
});

test('a pod that is refused has an event with the reason', async () => {
  await withWorker({}, async (node, worker) => {
    worker.stop({ cause: 'rejected', graceSeconds: 0, reason: 'OutOfcpu', message: 'too little' });
    worker.stop({ cause: 'rejected', graceSeconds: 0, reason: 'OutOfcpu', message: 'too little' });
    expect(node.recorded).toEqual(['OutOfcpu: too little']);
  });
});

test('a container that cannot be stopped has an event with the reason', async () => {
  await withWorker(
    {},
    async (node, worker) => {
      await vi.waitFor(() => expect(node.container).toMatchObject({ ready: true }));
      worker.stop({ cause: 'removed' });
      await vi.waitFor(() => expect(node.recorded).toContain('FailedKillPod: error killing pod: stuck'));
    },
    (node) => (node.killContainer = async () => Promise.reject(new GrpcFailure(GRPC_STATUS.UNKNOWN, 'stuck'))),
  );
});
