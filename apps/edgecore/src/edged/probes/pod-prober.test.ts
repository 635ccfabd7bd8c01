import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectRuntime } from '@fenestra/cri';
import { ExecSyncResponseSchema } from '@fenestra/cri/messages';
import { answerOf, startTestRuntime } from '@fenestra/cri/testing/test-runtime';
import type { JsonObject } from '@fenestra/kernel';
import { silentLogger } from '@fenestra/platform';
import type { PodFacts, PodStage, PodStatus } from '@fenestra/pods';
import { expect, test, vi } from 'vitest';
import { NO_EVENTS } from '../events/event-recorder.ts';
import { factsOf, podOf } from '../testing/pods.ts';
import { type PodProber, podProber } from './pod-prober.ts';

const TIMES = { periodSeconds: 1, failureThreshold: 1 };

interface Scene {
  readonly prober: PodProber;
  /** The commands that were run. */
  readonly calls: readonly string[];
  /** What every command exits with; `silence` if it never ends. */
  exitCode: number | 'silence';
  verdicts: number;
}

async function withProber(use: (scene: Scene) => Promise<void>, agentStartedAt = 0): Promise<void> {
  const scene = { exitCode: 0 as number | 'silence', verdicts: 0 };
  await using server = await startTestRuntime(() => {
    const { exitCode } = scene;
    return exitCode === 'silence' ? exitCode : answerOf(ExecSyncResponseSchema, { exitCode });
  });
  const runtime = connectRuntime(server.endpoint);
  const settings = {
    runtime,
    log: silentLogger(),
    events: NO_EVENTS,
    hostIps: () => [],
    random: () => 0.5,
    agentStartedAt,
  };
  const prober = podProber(settings, () => (scene.verdicts += 1));
  try {
    await use(Object.assign(scene, { prober, calls: server.calls }));
  } finally {
    prober.stop();
    runtime.close();
  }
}

function factsWith(probes: JsonObject, startedAt = Date.now()): PodFacts {
  return factsOf(podOf({ containers: [{ name: 'main', image: 'web:1', ...probes }] }), startedAt);
}

const command = { exec: { command: ['check'] }, ...TIMES };

/** Follows the pod as its worker does, with what the prober found so far. */
function follow({ prober }: Scene, facts: PodFacts, stage: PodStage = 'running'): void {
  prober.follow({ ...facts, probes: prober.verdicts }, stage);
}

test('liveness and readiness wait for the startup probe, and then run at once', async () => {
  await withProber(async (scene) => {
    const facts = factsWith({
      startupProbe: command,
      livenessProbe: command,
      readinessProbe: { ...command, periodSeconds: 60 },
    });
    follow(scene, facts);
    await vi.waitFor(() => expect(scene.prober.verdicts.get('main')).toEqual({ startup: 'success' }));
    expect(scene.calls).toHaveLength(1);
    follow(scene, facts);
    await vi.waitFor(() =>
      expect(scene.prober.verdicts.get('main')).toEqual({
        startup: 'success',
        liveness: 'success',
        readiness: 'success',
      }),
    );
    expect(scene.verdicts).toBe(3);
  });
});

test('the delay before the first run counts from the start of the container', async () => {
  await withProber(async (scene) => {
    const facts = factsWith({ startupProbe: command, readinessProbe: { ...command, initialDelaySeconds: 60 } });
    follow(scene, facts);
    await vi.waitFor(() => expect(scene.verdicts).toBe(1));
    follow(scene, facts);
    await sleep(300);
    expect(scene.calls).toHaveLength(1);
  });
  await withProber(async (scene) => {
    follow(scene, factsWith({ readinessProbe: { ...command, initialDelaySeconds: 60 } }, Date.now() - 60_000));
    await vi.waitFor(() => expect(scene.verdicts).toBe(1));
  });
});

test('a changed result is reported', async () => {
  await withProber(async (scene) => {
    follow(scene, factsWith({ readinessProbe: command }));
    await vi.waitFor(() => expect(scene.prober.verdicts.get('main')).toEqual({ readiness: 'success' }));
    scene.exitCode = 1;
    await vi.waitFor(() => expect(scene.prober.verdicts.get('main')).toEqual({ readiness: 'failure' }), 3000);
    expect(scene.verdicts).toBe(2);
  });
});

test('of a pod that ends only the readiness is probed, and of a container that ended nothing', async () => {
  await withProber(async (scene) => {
    const facts = factsWith({ livenessProbe: command, readinessProbe: command });
    follow(scene, facts);
    await vi.waitFor(() => expect(scene.verdicts).toBe(2));
    scene.exitCode = 1;
    follow(scene, facts, 'terminating');
    await vi.waitFor(
      () => expect(scene.prober.verdicts.get('main')).toEqual({ liveness: 'success', readiness: 'failure' }),
      3000,
    );
    follow(scene, { ...facts, observed: { ...facts.observed, containers: [] } }, 'terminating');
    expect(scene.prober.verdicts.size).toBe(0);
    follow(scene, facts, 'terminating');
    expect(scene.prober.verdicts.size).toBe(0);
  });
});

test('a container whose hook has not ended is not probed', async () => {
  await withProber(async (scene) => {
    const facts = factsWith({ startupProbe: command });
    follow(scene, { ...facts, starting: new Set(['main']) });
    expect(scene.prober.verdicts.size).toBe(0);
  });
});

test('a container that had started before the agent did is probed later, and not for its start', async () => {
  const status = { name: 'main', containerID: 'containerd://main', started: true, ready: true, restartCount: 0 };
  const recorded: PodStatus = {
    phase: 'Running',
    containerStatuses: [{ ...status, image: '', imageID: '', lastState: {}, state: { running: { startedAt: '' } } }],
  };
  await withProber(async (scene) => {
    const facts = factsWith({ startupProbe: command, livenessProbe: command }, Date.now() - 5000);
    const before = performance.now();
    follow(scene, { ...facts, recorded });
    await vi.waitFor(() => expect(scene.prober.verdicts.get('main')).toEqual({ liveness: 'success' }), 3000);
    expect(performance.now() - before).toBeGreaterThan(450);
    expect(scene.calls).toHaveLength(1);
  }, Date.now());
});

test('a probe that hangs keeps no other waiting, and ends with its container', async () => {
  const requests: AbortSignal[] = [];
  const server = createServer(({ socket }) => {
    const ended = new AbortController();
    socket.on('close', () => ended.abort());
    requests.push(ended.signal);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const { port } = address;
  await withProber(async (scene) => {
    const hanging = { ...TIMES, timeoutSeconds: 60, httpGet: { port } };
    follow(scene, factsWith({ livenessProbe: hanging, readinessProbe: command }));
    await vi.waitFor(() => expect(scene.prober.verdicts.get('main')).toEqual({ readiness: 'success' }));
    await vi.waitFor(() => expect(requests).toHaveLength(1));
    scene.prober.forget('main');
    await vi.waitFor(() => expect(requests[0]?.aborted).toBe(true));
  });
  server.close();
});
