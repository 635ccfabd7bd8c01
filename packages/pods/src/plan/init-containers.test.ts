import type { JsonObject } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { samplePod } from '../testing/sample-pods.ts';
import { SimulatedRuntime } from '../testing/simulated-runtime.ts';
import { planOrphan } from './termination.ts';

const one = { name: 'one', image: 'init:1' };
const two = { name: 'two', image: 'init:1' };
const sidecar = { name: 'proxy', image: 'proxy:1', restartPolicy: 'Always' };
const logger = { name: 'logger', image: 'logger:1', restartPolicy: 'Always' };

function runtimeOf(spec: JsonObject): SimulatedRuntime {
  return new SimulatedRuntime(samplePod(spec));
}

test('init containers run one after the other, then the regular ones', () => {
  const runtime = runtimeOf({ initContainers: [one, two] });
  for (const name of ['one', 'two']) {
    runtime.settle();
    expect(runtime.running()).toEqual([name]);
    runtime.exit(name, 0);
  }
  runtime.settle();
  expect(runtime.starts).toEqual(['one#0', 'two#0', 'main#0']);
});

test('a failed init container is repeated with back-off', () => {
  const runtime = runtimeOf({ initContainers: [one] });
  runtime.settle();
  runtime.exit('one', 1);
  runtime.settle();
  runtime.exit('one', 1);
  const { wakeAt, actions } = runtime.settle();
  expect(actions).toEqual([]);
  expect(wakeAt).toBe((runtime.latest('one').finishedAt ?? 0) + 10_000);
  expect(runtime.starts).toEqual(['one#0', 'one#1']);
});

test('a failed init container ends a pod that never restarts', () => {
  const runtime = runtimeOf({ initContainers: [sidecar, one], restartPolicy: 'Never' });
  runtime.settle();
  runtime.exit('one', 1);
  expect(runtime.settle()).toMatchObject({ stage: 'terminated', ending: { cause: 'completed' } });
  expect(runtime.running()).toEqual([]);
});

test('init containers are not run again when they were collected, the agent restarted or their image changed', () => {
  const runtime = runtimeOf({ initContainers: [one, two] });
  for (const name of ['one', 'two']) {
    runtime.settle();
    runtime.exit(name, 0);
  }
  runtime.settle();
  runtime.containers = runtime.containers.filter(({ name }) => name === 'main');
  runtime.pod = samplePod({ initContainers: [{ ...one, image: 'init:2' }, two] });
  expect(runtime.plan().actions).toEqual([]);
});

test('a sidecar lets the next container start as soon as it has started', () => {
  const probed = { ...sidecar, startupProbe: { exec: { command: ['true'] } } };
  const runtime = runtimeOf({ initContainers: [probed, one] });
  runtime.settle();
  expect(runtime.running()).toEqual(['proxy']);
  runtime.probes.set(runtime.latest('proxy').id, { startup: 'success' });
  runtime.settle();
  runtime.exit('one', 0);
  runtime.settle();
  expect(runtime.starts).toEqual(['proxy#0', 'one#0', 'main#0']);
});

test('a sidecar whose hook runs has not started', () => {
  const runtime = runtimeOf({ initContainers: [sidecar] });
  for (const action of runtime.plan().actions) runtime.apply(action);
  runtime.starting.add(runtime.latest('proxy').id);
  expect(runtime.plan().actions).toEqual([]);
});

test.each([0, 1])('a sidecar that exits with %i is restarted, whatever the policy of the pod', (code) => {
  const runtime = runtimeOf({ initContainers: [sidecar], restartPolicy: 'Never' });
  runtime.settle();
  runtime.exit('proxy', code);
  runtime.settle();
  expect(runtime.starts).toEqual(['proxy#0', 'main#0', 'proxy#1']);
});

test('only the last ended instance of a sidecar is kept', () => {
  const runtime = runtimeOf({ initContainers: [sidecar] });
  runtime.settle();
  for (let exits = 0; exits < 4; exits += 1) {
    runtime.exit('proxy', 1);
    runtime.settleWithTime();
  }
  expect(runtime.containers.filter(({ name }) => name === 'proxy').map(({ attempt }) => attempt)).toEqual([3, 4]);
});

test('the sidecars end in reverse order after the regular containers have, within what is left of the grace period', () => {
  const runtime = runtimeOf({ initContainers: [sidecar, logger], restartPolicy: 'OnFailure' });
  runtime.settle();
  runtime.exit('main', 0);
  runtime.endingSince = runtime.now;
  expect(runtime.plan().actions).toMatchObject([{ kind: 'kill-container', name: 'logger', graceSeconds: 30 }]);
  runtime.exit('logger', 137);
  runtime.now += 29_000;
  expect(runtime.plan().actions).toMatchObject([{ kind: 'kill-container', name: 'proxy', graceSeconds: 2 }]);
  expect(runtime.settle().stage).toBe('terminated');
  expect(runtime.starts).toEqual(['proxy#0', 'logger#0', 'main#0']);
});

test('an ephemeral container starts once, in the view of its target', () => {
  const debug = { name: 'debug', image: 'busybox:1', targetContainerName: 'main' };
  const runtime = runtimeOf({});
  runtime.settle();
  runtime.pod = samplePod({ ephemeralContainers: [debug] });
  expect(runtime.plan().actions).toMatchObject([
    { name: 'debug', role: 'ephemeral', targetId: runtime.latest('main').id },
  ]);
  runtime.settle();
  runtime.exit('debug', 1);
  expect(runtime.settle().actions).toEqual([]);
  expect(runtime.starts).toEqual(['main#0', 'debug#0']);
});

test('an ephemeral container waits until its target runs', () => {
  const debug = { name: 'debug', image: 'busybox:1', targetContainerName: 'main' };
  const runtime = runtimeOf({ ephemeralContainers: [debug], initContainers: [one] });
  runtime.settle();
  expect(runtime.running()).toEqual(['one']);
  runtime.exit('one', 0);
  runtime.settle();
  expect(runtime.running()).toEqual(['debug', 'main']);
});

test('a pod that only the runtime knows is stopped with the grace periods of its containers', () => {
  const runtime = runtimeOf({});
  runtime.settle();
  const { observed } = runtime.facts();
  expect(planOrphan(observed, () => 7).actions).toMatchObject([{ kind: 'kill-container', graceSeconds: 7 }]);
  runtime.exit('main', 0);
  expect(planOrphan(runtime.facts().observed, () => 7).actions).toEqual([{ kind: 'stop-sandbox', id: 'sandbox-0' }]);
});
