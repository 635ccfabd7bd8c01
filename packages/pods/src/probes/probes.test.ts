import type { JsonObject } from '@fenestra/kernel';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Container, Probe } from '../pod/container-fields.ts';
import { samplePod } from '../testing/sample-pods.ts';
import { httpOutcome, probeAction } from './probe-action.ts';
import {
  afterProbe,
  newProbeState,
  nextProbeAt,
  probeNow,
  verdictsOf,
  type ProbeContext,
  type ProbeKind,
  type ProbeOutcome,
  type ProbeState,
} from './probe-state.ts';

const running: ProbeContext = { started: true, terminating: false, isSidecar: false };
const instance = { id: 'c1', startedAt: 1000 };

function containerOf(fields: JsonObject): Container {
  const [main] = samplePod({ containers: [{ name: 'main', image: 'a', ...fields }] }).spec.containers;
  if (main === undefined) throw new Error('no container');
  return main;
}

function probeOf(fields: JsonObject): Probe {
  const { livenessProbe } = containerOf({ livenessProbe: { exec: { command: ['true'] }, ...fields } });
  if (livenessProbe === undefined) throw new Error('no probe');
  return livenessProbe;
}

function run(kind: ProbeKind, probe: Probe, outcomes: readonly ProbeOutcome[]): ProbeState {
  return outcomes.reduce(
    (state, outcome) => afterProbe(state, probe, outcome, state.nextAt),
    newProbeState(kind, probe, instance, 0),
  );
}

test('the first run waits for the delay after the start of the container', () => {
  expect(newProbeState('liveness', probeOf({ initialDelaySeconds: 5 }), instance, 2000).nextAt).toBe(6000);
  expect(newProbeState('liveness', probeOf({}), instance, 2000).nextAt).toBe(2000);
  expect(newProbeState('liveness', probeOf({}), instance, 2000, 700).nextAt).toBe(2700);
  expect(run('liveness', probeOf({ periodSeconds: 3 }), ['success']).nextAt).toBe(4000);
});

test.each([
  ['liveness', ['failure', 'failure'], undefined],
  ['liveness', ['failure', 'failure', 'failure'], 'failure'],
  ['liveness', ['failure', 'failure', 'success', 'failure'], 'success'],
  ['liveness', ['failure', 'failure', 'error', 'failure'], 'failure'],
  ['readiness', ['success'], 'success'],
  ['readiness', ['success', 'failure', 'failure'], 'success'],
  ['readiness', ['error'], undefined],
] as const)('%s after %j is %s', (kind, outcomes, verdict) => {
  expect(run(kind, probeOf({}), outcomes).verdict).toBe(verdict);
});

test('a verdict changes only after as many equal results as its threshold', () => {
  const outcome = fc.constantFrom('success' as const, 'failure' as const);
  fc.assert(
    fc.property(
      fc.array(outcome),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 4 }),
      (outcomes, failureThreshold, successThreshold) => {
        const probe = probeOf({ failureThreshold, successThreshold });
        let expected: string | undefined;
        for (let count = 1; count <= outcomes.length; count += 1) {
          const seen = outcomes.slice(0, count);
          for (const [result, threshold] of [
            ['failure', failureThreshold],
            ['success', successThreshold],
          ] as const) {
            if (seen.length >= threshold && seen.slice(-threshold).every((each) => each === result)) expected = result;
          }
          expect(run('readiness', probe, seen).verdict).toBe(expected);
        }
      },
    ),
    { numRuns: 50 },
  );
});

test('liveness and readiness wait until the container has started, startup until its end', () => {
  const waiting = { ...running, started: false };
  expect(nextProbeAt(run('liveness', probeOf({}), []), waiting)).toBeUndefined();
  expect(nextProbeAt(run('readiness', probeOf({}), []), waiting)).toBeUndefined();
  expect(nextProbeAt(run('startup', probeOf({}), []), waiting)).toBe(1000);
  expect(nextProbeAt(run('startup', probeOf({}), ['success']), running)).toBeUndefined();
  expect(nextProbeAt(run('startup', probeOf({ failureThreshold: 1 }), ['failure']), waiting)).toBeUndefined();
  expect(nextProbeAt(run('liveness', probeOf({ failureThreshold: 1 }), ['failure']), running)).toBeUndefined();
  expect(nextProbeAt(run('readiness', probeOf({ failureThreshold: 1 }), ['failure']), running)).toBe(11_000);
});

test('while a pod ends, only readiness and the sidecars are probed', () => {
  const terminating = { ...running, terminating: true };
  expect(nextProbeAt(run('liveness', probeOf({}), []), terminating)).toBeUndefined();
  expect(nextProbeAt(run('readiness', probeOf({}), []), terminating)).toBe(1000);
  expect(nextProbeAt(run('liveness', probeOf({}), []), { ...terminating, isSidecar: true })).toBe(1000);
});

test('a probe can be asked to run at once', () => {
  const state = run('readiness', probeOf({}), ['success']);
  expect(probeNow(state, 2000).nextAt).toBe(2000);
  expect(probeNow(state, 99_000).nextAt).toBe(11_000);
  expect(verdictsOf([state, run('startup', probeOf({}), [])])).toEqual({ readiness: 'success' });
});

test('an action has its variables, ports and addresses resolved', () => {
  const env = [{ name: 'A', value: 'x' }];
  const container = containerOf({ env, ports: [{ name: 'http', containerPort: 8080 }] });
  expect(probeAction(container, probeOf({ exec: { command: ['cat', '$(A)'] } }), '10.0.0.2')).toEqual({
    kind: 'exec',
    command: ['cat', 'x'],
  });
  const httpGet = {
    port: 'http',
    httpHeaders: [
      { name: 'accept', value: '' },
      { name: 'X-A', value: 'b' },
    ],
  };
  expect(probeAction(container, { httpGet }, 'fd00::2')).toEqual({
    kind: 'http',
    url: 'http://[fd00::2]:8080/',
    headers: [
      { name: 'User-Agent', value: 'kube-probe/1.32' },
      { name: 'X-A', value: 'b' },
    ],
  });
  const secure = { port: 443, scheme: 'HTTPS', host: 'h', path: 'healthz' };
  expect(probeAction(container, { httpGet: secure }, '10.0.0.2')).toMatchObject({ url: 'https://h:443/healthz' });
  expect(probeAction(container, { tcpSocket: { port: 'http' } }, '10.0.0.2')).toEqual({
    kind: 'tcp',
    host: '10.0.0.2',
    port: 8080,
  });
  expect(probeAction(container, { sleep: { seconds: 3 } }, '')).toEqual({ kind: 'sleep', seconds: 3 });
});

test.each([
  [{ httpGet: { port: 'none' } }, 'the container has no port "none"'],
  [{ tcpSocket: { port: 70_000 } }, 'the port 70000 is not valid'],
  [{}, 'missing probe handler'],
])('%j cannot be run', (handler, message) => {
  expect(probeAction(containerOf({}), handler, '10.0.0.2')).toEqual({ kind: 'invalid', message });
});

test.each([
  [199, 'failure'],
  [200, 'success'],
  [399, 'success'],
  [400, 'failure'],
])('the status %i is a %s', (status, outcome) => {
  expect(httpOutcome(status)).toBe(outcome);
});
