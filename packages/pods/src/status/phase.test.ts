import { expect, test } from 'vitest';
import type { ContainerState, ContainerStatus, PodPhase } from '../pod/status-fields.ts';
import { samplePod } from '../testing/sample-pods.ts';
import { podPhase, type PhaseFacts } from './phase.ts';

interface Shown {
  readonly state: ContainerState;
  readonly lastState: ContainerState;
  readonly started?: boolean;
}

const succeeded = { terminated: { exitCode: 0 } };
const failed = { terminated: { exitCode: 1 } };
const waiting = { waiting: { reason: 'ContainerCreating' } };

/** Everything a container can show, and no status at all. */
const SHOWN: readonly (Shown | undefined)[] = [
  undefined,
  { state: {}, lastState: {} },
  { state: { running: {} }, lastState: {}, started: true },
  { state: { running: {} }, lastState: failed, started: false },
  { state: succeeded, lastState: {} },
  { state: failed, lastState: {} },
  { state: waiting, lastState: {} },
  { state: waiting, lastState: succeeded },
  { state: waiting, lastState: failed },
];

test('podPhase is that of the table of a kubelet, for every combination of states', () => {
  let compared = 0;
  const policies = ['Always', 'OnFailure', 'Never'] as const;
  for (const restartPolicy of policies) {
    const { spec } = samplePod({
      restartPolicy,
      initContainers: [
        { name: 'init', image: 'a' },
        { name: 'sidecar', image: 'a', restartPolicy: 'Always' },
      ],
      containers: [
        { name: 'one', image: 'a' },
        { name: 'two', image: 'a' },
      ],
    });
    for (const init of SHOWN)
      for (const sidecar of SHOWN)
        for (const one of SHOWN)
          for (const two of SHOWN)
            for (const terminated of [false, true]) {
              const statuses = statusesOf({ init, sidecar, one, two });
              const facts: PhaseFacts = { spec, statuses, terminated };
              if (podPhase(facts) !== expectedPhase(facts)) expect({ ...facts, phase: podPhase(facts) }).toBe('equal');
              compared += 1;
            }
  }
  expect(compared).toBe(3 * 9 ** 4 * 2);
});

test('a pod without init containers that has not started is pending', () => {
  const { spec } = samplePod();
  expect(podPhase({ spec, statuses: [], terminated: false })).toBe('Pending');
});

function statusesOf(shown: Readonly<Record<string, Shown | undefined>>): readonly ContainerStatus[] {
  return Object.entries(shown).flatMap(([name, status]) =>
    status === undefined ? [] : [{ name, image: '', imageID: '', ready: false, restartCount: 0, ...status }],
  );
}

/** The rules as they are written down for a kubelet, one after the other, with counters. */
function expectedPhase({ spec, statuses, terminated }: PhaseFacts): PodPhase {
  const counts = {
    pendingInit: 0,
    failedInit: 0,
    pendingSidecars: 0,
    unknown: 0,
    running: 0,
    waiting: 0,
    stopped: 0,
    succeeded: 0,
  };
  for (const { name, restartPolicy } of spec.initContainers ?? []) {
    const status = statuses.find((each) => each.name === name);
    if (restartPolicy === 'Always') {
      if (!status) counts.unknown += 1;
      else if (status.state.running) {
        if (status.started !== true) counts.pendingSidecars += 1;
        counts.running += 1;
      } else if (status.state.terminated) continue;
      else if (status.state.waiting) {
        if (status.lastState.terminated) continue;
        counts.pendingSidecars += 1;
        counts.waiting += 1;
      } else {
        counts.pendingSidecars += 1;
        counts.unknown += 1;
      }
    } else if (!status || status.state.running) counts.pendingInit += 1;
    else if (status.state.terminated) counts.failedInit += status.state.terminated.exitCode === 0 ? 0 : 1;
    else if (status.state.waiting && status.lastState.terminated)
      counts.failedInit += status.lastState.terminated.exitCode === 0 ? 0 : 1;
    else counts.pendingInit += 1;
  }
  let started = false;
  for (const { name } of spec.containers) {
    const status = statuses.find((each) => each.name === name);
    if (status?.state.running) {
      counts.running += 1;
      started = true;
    } else if (status?.state.terminated) {
      counts.stopped += 1;
      started = true;
      if (status.state.terminated.exitCode === 0) counts.succeeded += 1;
    } else if (status?.state.waiting) {
      if (status.lastState.terminated) counts.stopped += 1;
      else counts.waiting += 1;
    } else counts.unknown += 1;
  }
  if (counts.failedInit > 0 && spec.restartPolicy === 'Never') return 'Failed';
  if (counts.pendingInit > 0 || (counts.pendingSidecars > 0 && !started)) return 'Pending';
  if (counts.waiting > 0) return 'Pending';
  if (counts.running > 0 && counts.unknown === 0) return 'Running';
  if (counts.running === 0 && counts.stopped > 0 && counts.unknown === 0) {
    if (terminated) return counts.stopped === counts.succeeded ? 'Succeeded' : 'Failed';
    if (spec.restartPolicy === 'Always') return 'Running';
    if (counts.stopped === counts.succeeded) return 'Succeeded';
    return spec.restartPolicy === 'Never' ? 'Failed' : 'Running';
  }
  return 'Pending';
}
