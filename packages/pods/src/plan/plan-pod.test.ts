import type { JsonObject } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { samplePod } from '../testing/sample-pods.ts';
import { SimulatedRuntime } from '../testing/simulated-runtime.ts';
import { planPod } from './plan-pod.ts';
import type { KillContainer } from './pod-plan.ts';

const main = { name: 'main', image: 'web:1' };
const second = { name: 'second', image: 'web:1' };

function runtimeOf(spec: JsonObject = {}, metadata: JsonObject = {}): SimulatedRuntime {
  return new SimulatedRuntime(samplePod(spec, metadata));
}

function kills(runtime: SimulatedRuntime): readonly KillContainer[] {
  return runtime.plan().actions.filter((action) => action.kind === 'kill-container');
}

test('a new pod gets a sandbox and its containers in their order, then nothing more', () => {
  const runtime = runtimeOf({ containers: [second, main] });
  expect(runtime.plan().actions.map((action) => ('name' in action ? action.name : action.kind))).toEqual([
    'create-sandbox',
    'second',
    'main',
  ]);
  expect(runtime.settle()).toEqual({ stage: 'running', actions: [] });
});

test.each([
  ['Always', 0, 'main#1'],
  ['Always', 1, 'main#1'],
  ['OnFailure', 0, undefined],
  ['OnFailure', 1, 'main#1'],
  ['Never', 0, undefined],
  ['Never', 1, undefined],
])('with the policy %s, a container that exits with %i is restarted: %s', (restartPolicy, code, started) => {
  const runtime = runtimeOf({ restartPolicy, containers: [main, second] });
  runtime.settle();
  runtime.exit('main', code);
  const plan = runtime.settle();
  expect(runtime.starts[2]).toBe(started);
  expect(plan.stage).toBe('running');
  runtime.exit('second', code);
  if (started === undefined) expect(runtime.settle()).toMatchObject({ stage: 'terminated', actions: [] });
});

test('restarts wait 10, 20, 40 and at last 300 seconds after the exit', () => {
  const runtime = runtimeOf();
  runtime.settle();
  const delays = [0, 0, 0, 0, 0, 0, 0, 0].map(() => {
    runtime.now += 1000;
    runtime.exit('main', 1);
    const exitedAt = runtime.now;
    const { wakeAt = runtime.now } = runtime.plan();
    runtime.now = wakeAt - 1;
    if (wakeAt > exitedAt) expect(runtime.plan().actions).toEqual([]);
    runtime.now = wakeAt;
    runtime.settle();
    return (wakeAt - exitedAt) / 1000;
  });
  expect(delays).toEqual([0, 10, 20, 40, 80, 160, 300, 300]);
});

test('the back-off is forgotten after a run of more than 600 seconds', () => {
  const runtime = runtimeOf();
  runtime.settle();
  for (const seconds of [1, 1]) {
    runtime.now += seconds * 1000;
    runtime.exit('main', 1);
    runtime.settleWithTime();
  }
  runtime.now += 601_000;
  runtime.exit('main', 1);
  expect(runtime.plan().actions).toMatchObject([{ name: 'main', backoff: { delayMs: 10_000 } }]);
});

test('a clock that was set back does not delay a restart', () => {
  const runtime = runtimeOf();
  runtime.settle();
  runtime.exit('main', 1);
  runtime.settle();
  runtime.exit('main', 1);
  runtime.now -= 86_400_000;
  expect(runtime.plan().actions).toMatchObject([{ kind: 'start-container', attempt: 2 }]);
});

test('a sandbox that ended is replaced, and the pod starts from its first init container', () => {
  const runtime = runtimeOf({ initContainers: [{ name: 'init', image: 'init:1' }] });
  runtime.settle();
  runtime.exit('init', 0);
  runtime.settle();
  runtime.now += 60_000;
  runtime.stopSandbox('sandbox-0', 255);
  expect(runtime.plan().actions).toMatchObject([
    { kind: 'stop-sandbox', id: 'sandbox-0' },
    { kind: 'create-sandbox', attempt: 1 },
    { kind: 'start-container', name: 'init', attempt: 1 },
  ]);
  runtime.settle();
  expect(runtime.running()).toEqual(['init']);
  runtime.exit('init', 0);
  runtime.settle();
  expect(runtime.starts).toEqual(['init#0', 'main#0', 'init#1', 'main#1']);
});

test.each(['Never', 'OnFailure'])(
  'a pod that ran to its end gets no new sandbox with the policy %s',
  (restartPolicy) => {
    const runtime = runtimeOf({ restartPolicy });
    runtime.settle();
    runtime.exit('main', 0);
    runtime.stopSandbox('sandbox-0');
    expect(runtime.settle()).toMatchObject({ stage: 'terminated', ending: { cause: 'completed' } });
  },
);

test('a pod that never restarts ends with its sandbox, unless nothing of it had run', () => {
  const started = runtimeOf({ restartPolicy: 'Never' });
  started.settle();
  started.stopSandbox('sandbox-0', 255);
  expect(started.settle().stage).toBe('terminated');

  const created = runtimeOf({ restartPolicy: 'Never' });
  created.apply({ kind: 'create-sandbox', attempt: 0 });
  created.start('main', 0, 'created');
  created.stopSandbox('sandbox-0', 255);
  created.settle();
  expect(created.starts).toEqual(['main#0']);
});

test('a container that was created and never started is removed and made again with its name', () => {
  const runtime = runtimeOf();
  runtime.apply({ kind: 'create-sandbox', attempt: 0 });
  runtime.start('main', 0, 'created');
  expect(runtime.plan().actions.map(({ kind }) => kind)).toEqual(['remove-container', 'start-container']);
  runtime.settle();
  expect(runtime.starts).toEqual(['main#0']);
});

test('a log does not count as a start if the status says that the container never ran', () => {
  const runtime = runtimeOf();
  runtime.apply({ kind: 'create-sandbox', attempt: 0 });
  const facts = { ...runtime.facts(), loggedAttempts: new Map([['main', 2]]) };
  expect(planPod(facts).actions).toMatchObject([{ kind: 'start-container', attempt: 3 }]);
  const status = { name: 'main', image: 'web:1', imageID: '', ready: false, restartCount: 2, state: {}, lastState: {} };
  const recorded = { phase: 'Pending' as const, containerStatuses: [status] };
  expect(planPod({ ...facts, recorded }).actions).toMatchObject([{ kind: 'start-container', attempt: 2 }]);
  const ran = { ...status, lastState: { terminated: { exitCode: 1 } } };
  expect(planPod({ ...facts, recorded: { ...recorded, containerStatuses: [ran] } }).actions).toMatchObject([
    { kind: 'start-container', attempt: 3 },
  ]);
});

test('an unknown container is stopped before another one starts', () => {
  const runtime = runtimeOf();
  runtime.settle();
  runtime.change(runtime.latest('main').id, { state: 'unknown' });
  expect(kills(runtime)).toMatchObject([{ reason: 'state-unknown', restart: true }]);
  runtime.settle();
  expect(runtime.starts).toEqual(['main#0', 'main#1']);
});

test.each(['Always', 'OnFailure', 'Never'])(
  'another image restarts a container with the policy %s',
  (restartPolicy) => {
    const runtime = runtimeOf({ restartPolicy });
    runtime.settle();
    runtime.pod = samplePod({ restartPolicy, containers: [{ ...main, image: 'web:2' }] });
    runtime.settle();
    expect(runtime.starts).toEqual(['main#0', 'main#1']);
    expect(runtime.latest('main').image).toBe('web:2');
  },
);

test('the hash of another agent does not restart a container with the same image', () => {
  const runtime = runtimeOf();
  runtime.settle();
  runtime.change(runtime.latest('main').id, { hash: '1234abcd' });
  expect(runtime.plan().actions).toEqual([]);
});

test.each(['liveness', 'startup'] as const)(
  'a failed %s probe restarts a container, whatever its exit code',
  (probe) => {
    const liveness = { exec: { command: ['true'] }, terminationGracePeriodSeconds: 7 };
    const runtime = runtimeOf({ restartPolicy: 'OnFailure', containers: [{ ...main, [`${probe}Probe`]: liveness }] });
    runtime.settle();
    const { id } = runtime.latest('main');
    runtime.probes.set(id, { [probe]: 'failure' });
    const [kill] = kills(runtime);
    expect(kill).toMatchObject({ graceSeconds: 7, restart: true, reason: `${probe}-failed` });
    if (kill) runtime.apply(kill);
    runtime.change(id, { exitCode: 0 });
    runtime.settle();
    expect(runtime.starts).toEqual(['main#0', 'main#1']);
  },
);

test('a failed liveness probe ends a pod that never restarts', () => {
  const runtime = runtimeOf({ restartPolicy: 'Never', containers: [{ ...main, livenessProbe: { exec: {} } }] });
  runtime.settle();
  runtime.probes.set(runtime.latest('main').id, { liveness: 'failure' });
  expect(runtime.settle().stage).toBe('terminated');
  expect(runtime.starts).toEqual(['main#0']);
});

test('a failed pull waits for its time, and shows after a second that it waits', () => {
  const runtime = runtimeOf();
  runtime.apply({ kind: 'create-sandbox', attempt: 0 });
  const failure = { reason: 'ErrImagePull', message: 'no route', at: runtime.now, retryAt: runtime.now + 10_000 };
  const facts = { ...runtime.facts(), failures: new Map([['main', failure]]) };
  runtime.failures = facts.failures;
  expect(runtime.plan()).toEqual({ stage: 'running', actions: [], wakeAt: failure.at + 1000 });
  runtime.now += 1000;
  expect(runtime.plan()).toEqual({ stage: 'running', actions: [], wakeAt: failure.retryAt });
  runtime.now = failure.retryAt;
  expect(runtime.plan().actions).toMatchObject([{ kind: 'start-container', attempt: 0 }]);
  runtime.now = failure.at - 86_400_000;
  expect(runtime.plan().actions).toMatchObject([{ kind: 'start-container', attempt: 0 }]);
});

test('a failed sandbox waits for its time, which a clock that was set back does not delay', () => {
  const runtime = runtimeOf();
  const { now } = runtime;
  const sandboxFailure = { reason: 'CreatePodSandboxError', message: 'no network', at: now, retryAt: now + 10_000 };
  const facts = { ...runtime.facts(), sandboxFailure };
  expect(planPod(facts)).toEqual({ stage: 'running', actions: [], wakeAt: now + 10_000 });
  expect(planPod({ ...facts, now: now - 1 }).actions).toMatchObject([{ kind: 'create-sandbox' }, {}]);
});

test('a pod without an address, with two sandboxes or on the wrong network gets a new sandbox', () => {
  const changes = [{ ips: [] }, { hostNetwork: true }];
  for (const change of changes) {
    const runtime = runtimeOf();
    runtime.settle();
    runtime.sandboxes = runtime.sandboxes.map((sandbox) => ({ ...sandbox, ...change }));
    runtime.settle();
    expect(runtime.sandboxes.filter(({ ready }) => ready)).toMatchObject([{ attempt: 1 }]);
  }
  const doubled = runtimeOf();
  doubled.settle();
  doubled.sandboxes = doubled.sandboxes.flatMap((sandbox) => [sandbox, { ...sandbox, id: 'other', attempt: 4 }]);
  doubled.settle();
  expect(doubled.sandboxes.filter(({ ready }) => ready)).toMatchObject([{ attempt: 5 }]);
});

test('a deleted pod stops its containers, then its sandbox', () => {
  const runtime = runtimeOf({ containers: [main, second] });
  runtime.settle();
  runtime.pod = samplePod({ containers: [main, second] }, { deletionTimestamp: 'now', deletionGracePeriodSeconds: 5 });
  expect(kills(runtime)).toMatchObject([
    { name: 'main', graceSeconds: 5, restart: false },
    { name: 'second', graceSeconds: 5 },
  ]);
  expect(runtime.settle()).toMatchObject({ stage: 'terminated', ending: { cause: 'deleted' } });
  expect(runtime.sandboxes).toMatchObject([{ ready: false }]);
});

test('a deleted pod that never started starts nothing', () => {
  const runtime = runtimeOf({}, { deletionTimestamp: 'now' });
  expect(runtime.plan()).toMatchObject({ stage: 'terminated', actions: [] });
});

test('the active deadline ends a pod, and a lowered one at once', () => {
  const runtime = runtimeOf({ activeDeadlineSeconds: 60 });
  const { wakeAt } = runtime.settle();
  expect(wakeAt).toBe(1_060_000);
  runtime.now += 20_000;
  runtime.pod = samplePod({ activeDeadlineSeconds: 10 });
  expect(runtime.settle()).toMatchObject({ stage: 'terminated', ending: { reason: 'DeadlineExceeded' } });
});

test('an eviction overrides the grace period and its reason is kept', () => {
  const runtime = runtimeOf();
  runtime.settle();
  runtime.stop = { cause: 'evicted', graceSeconds: 1, reason: 'Evicted', message: 'low on memory' };
  expect(runtime.plan()).toMatchObject({
    stage: 'terminating',
    ending: { cause: 'evicted', reason: 'Evicted' },
    actions: [{ graceSeconds: 2 }],
  });
});

test('a final phase is never left, even if the runtime forgot the pod', () => {
  const runtime = runtimeOf();
  runtime.recorded = { phase: 'Succeeded' };
  expect(runtime.plan()).toMatchObject({ stage: 'terminated', actions: [] });
});

test('a container that was collected after it had done its work is not run again', () => {
  const runtime = runtimeOf({ restartPolicy: 'OnFailure', containers: [main, second] });
  runtime.settle();
  runtime.exit('main', 0);
  runtime.apply({ kind: 'remove-container', id: runtime.latest('main').id, name: 'main' });
  const status = { name: 'main', image: '', imageID: '', ready: false, restartCount: 0, lastState: {} };
  runtime.recorded = {
    phase: 'Running',
    containerStatuses: [{ ...status, state: { terminated: { exitCode: 0 } } }],
  };
  expect(runtime.settle().stage).toBe('running');
  expect(runtime.starts).toEqual(['main#0', 'second#0']);
});

test.each(['Always', 'Never'])(
  'with the policy %s, an instance that is to be replaced is, once and at once',
  (restartPolicy) => {
    const runtime = runtimeOf({ restartPolicy, containers: [main, second] });
    runtime.settle();
    runtime.restartNow.add(runtime.containers.find(({ name }) => name === 'main')?.id ?? '');
    expect(kills(runtime)).toMatchObject([{ name: 'main', reason: 'restart-requested', restart: true }]);
    runtime.settle();
    expect(runtime.starts).toEqual(['main#0', 'second#0', 'main#1']);
  },
);

test('a container that waits for its restart is started at once on request', () => {
  const runtime = runtimeOf({ containers: [main] });
  runtime.settle();
  for (const attempt of [0, 1]) {
    runtime.exit('main', attempt + 1);
    runtime.settle();
  }
  expect(runtime.starts).toEqual(['main#0', 'main#1']);
  runtime.restartNow.add(runtime.containers.at(-1)?.id ?? '');
  runtime.settle();
  expect(runtime.starts).toEqual(['main#0', 'main#1', 'main#2']);
});
