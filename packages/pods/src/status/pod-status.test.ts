import type { JsonObject } from '@fenestra/kernel';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isAlive } from '../observed.ts';
import type { PodCondition, PodStatus } from '../pod/status-fields.ts';
import { samplePod } from '../testing/sample-pods.ts';
import { SimulatedRuntime } from '../testing/simulated-runtime.ts';
import { podStatus } from './pod-status.ts';

const main = { name: 'main', image: 'web:1' };

function runtimeOf(spec: JsonObject = {}, metadata: JsonObject = {}): SimulatedRuntime {
  return new SimulatedRuntime(samplePod(spec, metadata));
}

/** The status after a pass of the agent, which keeps it as the last one. */
function report(runtime: SimulatedRuntime): PodStatus {
  const { stage, ending } = runtime.plan();
  const facts = { ...runtime.facts(), stage, hostIps: ['192.168.0.5'], runtimeName: 'containerd' };
  const status = podStatus(ending === undefined ? facts : { ...facts, ending });
  runtime.recorded = status;
  return status;
}

function conditionOf(status: PodStatus, type: string): PodCondition | undefined {
  return status.conditions?.find((condition) => condition.type === type);
}

test('a pod goes from Pending to Running, with its addresses and times', () => {
  const runtime = runtimeOf();
  expect(report(runtime)).toMatchObject({
    phase: 'Pending',
    containerStatuses: [
      { name: 'main', ready: false, started: false, state: { waiting: { reason: 'ContainerCreating' } } },
    ],
  });
  runtime.settle();
  const status = report(runtime);
  expect(status).toEqual({
    phase: 'Running',
    startTime: '1970-01-01T00:16:40Z',
    qosClass: 'BestEffort',
    hostIP: '192.168.0.5',
    hostIPs: [{ ip: '192.168.0.5' }],
    podIP: '10.0.0.2',
    podIPs: [{ ip: '10.0.0.2' }],
    conditions: ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(
      (type) => ({
        type,
        status: 'True',
        lastTransitionTime: '1970-01-01T00:16:40Z',
      }),
    ),
    containerStatuses: [
      {
        name: 'main',
        image: 'web:1',
        imageID: 'sha256:web:1',
        containerID: `containerd://${runtime.latest('main').id}`,
        restartCount: 0,
        ready: true,
        started: true,
        state: { running: { startedAt: '1970-01-01T00:16:40Z' } },
        lastState: {},
      },
    ],
  });
});

test('a crash loop shows the wait, the last end and the number of restarts', () => {
  const runtime = runtimeOf();
  runtime.settle();
  for (const exitCode of [1, 2]) {
    runtime.now += 1000;
    runtime.exit('main', exitCode);
    runtime.settle();
  }
  expect(report(runtime).containerStatuses).toMatchObject([
    {
      restartCount: 1,
      ready: false,
      state: {
        waiting: {
          reason: 'CrashLoopBackOff',
          message: 'back-off 10s restarting failed container=main pod=web_shop(uid-1)',
        },
      },
      lastState: { terminated: { exitCode: 2, reason: 'Error' } },
    },
  ]);
  expect(report(runtime).phase).toBe('Running');
});

test.each([
  ['Always', 1, 'Running'],
  ['OnFailure', 0, 'Succeeded'],
  ['OnFailure', 1, 'Running'],
  ['Never', 0, 'Succeeded'],
  ['Never', 3, 'Failed'],
])('with the policy %s, a pod whose container exits with %i is %s', (restartPolicy, code, phase) => {
  const runtime = runtimeOf({ restartPolicy });
  runtime.settle();
  runtime.exit('main', code);
  runtime.settle();
  expect(report(runtime).phase).toBe(phase);
});

test('a final phase is reported only when nothing runs any more, and never changes', () => {
  const sidecar = { name: 'proxy', image: 'proxy:1', restartPolicy: 'Always' };
  const runtime = runtimeOf({ restartPolicy: 'Never', initContainers: [sidecar] });
  runtime.settle();
  report(runtime);
  runtime.exit('main', 0);
  expect(report(runtime).phase).toBe('Running');
  runtime.settle();
  const ended = report(runtime);
  expect(ended.phase).toBe('Succeeded');
  expect(conditionOf(ended, 'Ready')).toMatchObject({ status: 'False', reason: 'PodCompleted' });
  runtime.containers = [];
  runtime.sandboxes = [];
  expect(report(runtime)).toMatchObject({ phase: 'Succeeded', containerStatuses: ended.containerStatuses });
});

test('a pod that is deleted before it started fails', () => {
  const runtime = runtimeOf();
  report(runtime);
  runtime.pod = samplePod({}, { deletionTimestamp: 'now' });
  expect(report(runtime)).toMatchObject({
    phase: 'Failed',
    containerStatuses: [{ state: { terminated: { exitCode: 137, reason: 'ContainerStatusUnknown' } } }],
  });
});

test('an eviction is reported with its reason, and with the condition of a disruption at once', () => {
  const runtime = runtimeOf();
  runtime.settle();
  report(runtime);
  runtime.stop = {
    cause: 'evicted',
    graceSeconds: 0,
    reason: 'Evicted',
    message: 'The node was low on resource: memory.',
  };
  const stopping = report(runtime);
  expect(stopping.phase).toBe('Running');
  expect(conditionOf(stopping, 'DisruptionTarget')).toMatchObject({ status: 'True', reason: 'TerminationByKubelet' });
  runtime.settle();
  const ended = report(runtime);
  expect(ended).toMatchObject({ phase: 'Failed', reason: 'Evicted' });
  expect(conditionOf(ended, 'ContainersReady')).toMatchObject({ status: 'False', reason: 'PodFailed' });
});

test('the status of a refused pod has the reason, and nothing about containers that never were', () => {
  const runtime = runtimeOf();
  runtime.stop = { cause: 'rejected', graceSeconds: 0, reason: 'OutOfcpu', message: 'no room' };
  expect(report(runtime)).toEqual({
    phase: 'Failed',
    reason: 'OutOfcpu',
    message: 'no room',
    startTime: expect.any(String),
    qosClass: 'BestEffort',
  });
});

test('a failed pull is shown, and after a moment the wait for the next one', () => {
  const runtime = runtimeOf();
  runtime.apply({ kind: 'create-sandbox', attempt: 0 });
  const failure = { reason: 'ErrImagePull', message: 'no route', at: runtime.now, retryAt: runtime.now + 10_000 };
  runtime.failures = new Map([['main', failure]]);
  const waiting = (): unknown => report(runtime).containerStatuses?.[0]?.state.waiting;
  expect(waiting()).toEqual({ reason: 'ErrImagePull', message: 'no route' });
  runtime.now += 2000;
  expect(waiting()).toEqual({ reason: 'ImagePullBackOff', message: 'Back-off pulling image "web:1": no route' });
});

test('init containers gate the condition Initialized and are listed in their order', () => {
  const runtime = runtimeOf({
    initContainers: [
      { name: 'b', image: 'init:1' },
      { name: 'a', image: 'init:1', restartPolicy: 'Always', startupProbe: { exec: {} } },
    ],
  });
  runtime.settle();
  const first = report(runtime);
  expect(first.initContainerStatuses?.map(({ name }) => name)).toEqual(['b', 'a']);
  expect(first.containerStatuses?.[0]?.state.waiting?.reason).toBe('PodInitializing');
  expect(conditionOf(first, 'Initialized')).toMatchObject({
    status: 'False',
    reason: 'ContainersNotInitialized',
    message: 'containers with incomplete status: [b a]',
  });
  runtime.exit('b', 0);
  runtime.settle();
  expect(conditionOf(report(runtime), 'Initialized')?.message).toBe('containers with incomplete status: [a]');
  runtime.probes.set(runtime.latest('a').id, { startup: 'success' });
  runtime.settle();
  const last = report(runtime);
  expect(last.phase).toBe('Running');
  expect(conditionOf(last, 'Initialized')?.status).toBe('True');
  expect(last.initContainerStatuses).toMatchObject([{ ready: true }, { ready: true, started: true }]);
});

test('readiness follows the probe, and after a restart of the agent the last report until the first result', () => {
  const runtime = runtimeOf({ containers: [{ ...main, readinessProbe: { exec: {} } }] });
  runtime.settle();
  expect(conditionOf(report(runtime), 'Ready')).toMatchObject({
    status: 'False',
    reason: 'ContainersNotReady',
    message: 'containers with unready status: [main]',
  });
  const { id } = runtime.latest('main');
  runtime.probes.set(id, { readiness: 'success' });
  expect(conditionOf(report(runtime), 'Ready')?.status).toBe('True');
  runtime.probes.clear();
  expect(conditionOf(report(runtime), 'Ready')?.status).toBe('True');
  runtime.probes.set(id, { readiness: 'failure' });
  expect(conditionOf(report(runtime), 'Ready')?.status).toBe('False');
});

test('the time of a condition changes only with its status', () => {
  const runtime = runtimeOf();
  runtime.settle();
  const before = conditionOf(report(runtime), 'Ready')?.lastTransitionTime;
  runtime.now += 60_000;
  expect(conditionOf(report(runtime), 'Ready')?.lastTransitionTime).toBe(before);
  runtime.exit('main', 1);
  expect(conditionOf(report(runtime), 'Ready')?.lastTransitionTime).toBe('1970-01-01T00:17:40Z');
});

test('a readiness gate holds back Ready until its condition is true', () => {
  const gate = 'example.com/lb';
  const spec = { containers: [main], readinessGates: [{ conditionType: gate }] };
  const runtime = runtimeOf(spec);
  runtime.settle();
  expect(conditionOf(report(runtime), 'Ready')).toMatchObject({
    status: 'False',
    reason: 'ReadinessGatesNotReady',
    message: `corresponding condition of pod readiness gate "${gate}" does not exist.`,
  });
  runtime.pod = { ...runtime.pod, status: { phase: 'Running', conditions: [{ type: gate, status: 'True' }] } };
  expect(conditionOf(report(runtime), 'Ready')?.status).toBe('True');
});

test('a container that vanished while it ran counts as restarted', () => {
  const runtime = runtimeOf();
  runtime.settle();
  report(runtime);
  runtime.containers = [];
  expect(report(runtime).containerStatuses).toMatchObject([
    {
      restartCount: 1,
      state: { waiting: { reason: 'ContainerCreating' } },
      lastState: { terminated: { exitCode: 137, reason: 'ContainerStatusUnknown' } },
    },
  ]);
});

test('the last end of a container is kept when the runtime has forgotten it', () => {
  const runtime = runtimeOf();
  runtime.settle();
  runtime.exit('main', 3);
  report(runtime);
  runtime.settle();
  runtime.containers = runtime.containers.filter(isAlive);
  expect(report(runtime).containerStatuses).toMatchObject([
    { restartCount: 1, state: { running: {} }, lastState: { terminated: { exitCode: 3 } } },
  ]);
});

test('a pod on the network of the host has the addresses of the host', () => {
  const runtime = runtimeOf({ hostNetwork: true });
  runtime.settle();
  expect(report(runtime)).toMatchObject({ podIP: '192.168.0.5', podIPs: [{ ip: '192.168.0.5' }] });
});

test('an ephemeral container has its own statuses and never makes the pod unready', () => {
  const runtime = runtimeOf({
    ephemeralContainers: [{ name: 'debug', image: 'busybox:1', targetContainerName: 'missing' }],
  });
  runtime.settle();
  const status = report(runtime);
  expect(status.ephemeralContainerStatuses).toMatchObject([
    { name: 'debug', ready: false, state: { waiting: { reason: 'CreateContainerConfigError' } } },
  ]);
  expect(conditionOf(status, 'Ready')?.status).toBe('True');
});

test('restart counts never go down, whatever happens', () => {
  const event = fc.record({ kind: fc.constantFrom('exit', 'sandbox', 'time'), code: fc.constantFrom(0, 1) });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 20 }), (events) => {
      const runtime = runtimeOf();
      let count = 0;
      for (const { kind, code } of events) {
        if (kind === 'time') runtime.now += 400_000;
        else if (kind === 'sandbox') runtime.sandboxes.forEach(({ id }) => runtime.stopSandbox(id));
        else if (runtime.running().length > 0) runtime.exit('main', code);
        runtime.settle();
        const restarts = report(runtime).containerStatuses?.[0]?.restartCount ?? 0;
        expect(restarts).toBeGreaterThanOrEqual(count);
        count = restarts;
      }
    }),
    { numRuns: 200 },
  );
});
