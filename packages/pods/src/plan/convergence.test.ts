import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isAlive } from '../observed.ts';
import { isSidecar } from '../pod/pod.ts';
import { samplePod } from '../testing/sample-pods.ts';
import { SimulatedRuntime } from '../testing/simulated-runtime.ts';
import type { PodPlan } from './pod-plan.ts';

// What happens to a pod between two passes of the agent. The simulated runtime refuses a container that is started
// twice, an attempt that is used twice and a second sandbox, so every run checks those as well.
type Event =
  | { readonly kind: 'exit'; readonly pick: number; readonly exitCode: number }
  | {
      readonly kind: 'vanish' | 'become-unknown' | 'leave-created' | 'fail-liveness' | 'fail-startup';
      readonly pick: number;
    }
  | { readonly kind: 'sandbox-ends' | 'sandbox-lost' | 'address-lost' | 'agent-killed'; readonly pick: number }
  | { readonly kind: 'time-passes'; readonly pick: number };

const pick = fc.nat(20);
const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('exit' as const), pick, exitCode: fc.constantFrom(0, 0, 1, 255) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('vanish', 'become-unknown', 'leave-created', 'fail-liveness', 'fail-startup'),
      pick,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('sandbox-ends', 'sandbox-lost', 'address-lost', 'agent-killed'),
      pick,
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('time-passes' as const), pick: fc.nat(700) }) },
);

const probe = { exec: { command: ['true'] } };
const initContainer = fc.constantFrom(
  { image: 'init:1' },
  { image: 'init:1', restartPolicy: 'Always' },
  { image: 'init:1', restartPolicy: 'Always', startupProbe: probe },
);
const podSpec = fc
  .record({
    restartPolicy: fc.constantFrom('Always', 'OnFailure', 'Never'),
    hostNetwork: fc.boolean(),
    initContainers: fc.array(initContainer, { maxLength: 3 }),
    containers: fc.array(fc.constantFrom({}, { startupProbe: probe }), { minLength: 1, maxLength: 3 }),
    ephemeral: fc.boolean(),
  })
  .map(({ initContainers, containers, ephemeral, ...spec }) => ({
    ...spec,
    initContainers: initContainers.map((container, index) => ({ ...container, name: `init-${index}` })),
    containers: containers.map((container, index) => ({ ...container, name: `main-${index}`, image: 'web:1' })),
    ...(ephemeral && {
      ephemeralContainers: [{ name: 'debug', image: 'busybox:1', targetContainerName: 'main-0' }],
    }),
  }));

function happen(runtime: SimulatedRuntime, { kind, ...details }: Event): void {
  const alive = runtime.containers.filter(isAlive);
  const target = alive[details.pick % Math.max(1, alive.length)];
  if (kind === 'time-passes') runtime.now += details.pick * 1000;
  else if (kind === 'sandbox-ends') runtime.sandboxes.forEach(({ id }) => runtime.stopSandbox(id, 255));
  else if (kind === 'sandbox-lost')
    runtime.sandboxes = runtime.sandboxes.map((sandbox) => ({ ...sandbox, ready: false }));
  else if (kind === 'address-lost') runtime.sandboxes = runtime.sandboxes.map((sandbox) => ({ ...sandbox, ips: [] }));
  else if (kind === 'agent-killed') {
    for (const action of runtime.plan().actions.slice(0, details.pick % 3)) runtime.apply(action);
  } else if (target === undefined) return;
  else if (kind === 'exit') runtime.exit(target.name, 'exitCode' in details ? details.exitCode : 0);
  else if (kind === 'vanish') runtime.containers = runtime.containers.filter(({ id }) => id !== target.id);
  else if (kind === 'become-unknown') runtime.change(target.id, { state: 'unknown' });
  else if (kind === 'leave-created') runtime.change(target.id, { state: 'created' });
  else runtime.probes.set(target.id, { [kind === 'fail-liveness' ? 'liveness' : 'startup']: 'failure' });
}

/** What holds whenever there is nothing to do: what runs is known to run, in one sandbox, and in its turn. */
function checkOrder(runtime: SimulatedRuntime, { stage }: PodPlan): void {
  const { initContainers = [], containers } = runtime.pod.spec;
  const [sandbox] = runtime.sandboxes.filter(({ ready }) => ready);
  const alive = runtime.containers.filter(isAlive);
  expect(alive.every(({ state, sandboxId }) => state === 'running' && sandboxId === sandbox?.id)).toBe(true);
  expect(new Set(alive.map(({ name }) => name)).size).toBe(alive.length);
  const here = runtime.containers.filter(({ sandboxId }) => sandboxId === sandbox?.id);
  const regularStarted = here.some(({ name }) => containers.some((container) => container.name === name));
  if (stage !== 'running' || !regularStarted) return;
  for (const init of initContainers.filter((container) => !isSidecar(container))) {
    const instances = here.filter(({ name }) => name === init.name);
    if (instances.length > 0) expect(instances.some(({ exitCode }) => exitCode === 0)).toBe(true);
    expect(runtime.starts.some((start) => start.startsWith(`${init.name}#`))).toBe(true);
  }
}

test('every reachable state converges, nothing is started twice, and a second pass plans nothing', () => {
  fc.assert(
    fc.property(podSpec, fc.array(event, { maxLength: 25 }), fc.boolean(), (spec, events, deleted) => {
      const runtime = new SimulatedRuntime(samplePod(spec));
      for (const each of events) {
        happen(runtime, each);
        if (each.kind !== 'agent-killed') checkOrder(runtime, runtime.settle());
      }
      if (deleted) runtime.pod = samplePod(spec, { deletionTimestamp: 'now' });
      const plan = runtime.settleWithTime(20);
      expect(plan.actions).toEqual([]);
      expect(runtime.plan()).toEqual(plan);
      checkOrder(runtime, plan);
      if (plan.stage === 'terminated') {
        expect(runtime.running()).toEqual([]);
        expect(runtime.sandboxes.filter(({ ready }) => ready)).toEqual([]);
      } else expect(deleted).toBe(false);
    }),
    { numRuns: 600 },
  );
});

test('a pod whose containers all exit well comes to rest in the way its policy says', () => {
  fc.assert(
    fc.property(podSpec, (spec) => {
      const runtime = new SimulatedRuntime(samplePod(spec));
      for (let round = 0; round < 60; round += 1) {
        runtime.settle();
        for (const container of runtime.containers.filter(isAlive)) {
          const isInit = container.name.startsWith('init') && !isSidecarOf(spec, container.name);
          if (isSidecarOf(spec, container.name)) runtime.probes.set(container.id, { startup: 'success' });
          else if (isInit || spec.restartPolicy !== 'Always') runtime.exit(container.name, 0);
        }
      }
      const regular = spec.containers.map(({ name }) => name);
      const starts = regular.map((name) => runtime.starts.filter((start) => start.startsWith(`${name}#`)).length);
      expect(starts).toEqual(regular.map(() => 1));
      expect(runtime.settle().stage).toBe(spec.restartPolicy === 'Always' ? 'running' : 'terminated');
    }),
    { numRuns: 100 },
  );
});

function isSidecarOf(spec: { initContainers: readonly { name: string }[] }, name: string): boolean {
  return spec.initContainers.some((container) => container.name === name && 'restartPolicy' in container);
}
