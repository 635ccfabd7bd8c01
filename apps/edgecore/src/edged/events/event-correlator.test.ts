import { KUBELET_EVENTS, type EventSubject } from '@fenestra/pods';
import { expect, test } from 'vitest';
import { EventCorrelator } from './event-correlator.ts';

const POD: EventSubject = { kind: 'Pod', namespace: 'shop', name: 'web', uid: 'uid-1' };
const STARTED = KUBELET_EVENTS.started('main');
const NOW = Date.parse('2026-01-01T00:00:00Z');
const MINUTE_MS = 60_000;

test('a repeated event keeps its name and first time, and counts', () => {
  const correlator = new EventCorrelator();
  const first = correlator.correlate(POD, STARTED, NOW);
  const second = correlator.correlate(POD, STARTED, NOW + 5000);
  expect(first).toMatchObject({ count: 1, firstAt: NOW, lastAt: NOW });
  expect(second).toMatchObject({ name: first?.name, count: 2, firstAt: NOW, lastAt: NOW + 5000 });
});

test('events of another pod, container, reason or message have names of their own', () => {
  const correlator = new EventCorrelator();
  const names = [
    correlator.correlate(POD, STARTED, NOW),
    correlator.correlate({ ...POD, uid: 'uid-2' }, STARTED, NOW),
    correlator.correlate({ ...POD, fieldPath: 'spec.containers{main}' }, STARTED, NOW),
    correlator.correlate(POD, KUBELET_EVENTS.created('main'), NOW),
    correlator.correlate(POD, KUBELET_EVENTS.started('other'), NOW),
  ].map((event) => event?.name);
  expect(new Set(names).size).toBe(5);
});

test('from the tenth different message of one reason on, they are one event', () => {
  const correlator = new EventCorrelator();
  const written = Array.from({ length: 12 }, (_, index) =>
    correlator.correlate(POD, KUBELET_EVENTS.startFailed(`${index}`), NOW + index),
  );
  expect(written[8]).toMatchObject({ count: 1, message: 'Error: 8' });
  expect(written[9]).toMatchObject({ count: 1, message: '(combined from similar events): Error: 9' });
  expect(written[11]).toMatchObject({ count: 3, message: '(combined from similar events): Error: 11' });
  expect(written[11]?.name).toBe(written[9]?.name);
});

test('different messages are not combined after ten minutes without one', () => {
  const correlator = new EventCorrelator();
  for (let index = 0; index < 9; index += 1) correlator.correlate(POD, KUBELET_EVENTS.startFailed(`${index}`), NOW);
  const later = correlator.correlate(POD, KUBELET_EVENTS.startFailed('later'), NOW + 11 * MINUTE_MS);
  expect(later).toMatchObject({ message: 'Error: later' });
});

test('after 25 events about one pod, one is written every five minutes, with all that it counted', () => {
  const correlator = new EventCorrelator();
  const written = Array.from({ length: 40 }, () => correlator.correlate(POD, STARTED, NOW));
  expect(written.filter((event) => event !== undefined)).toHaveLength(25);
  expect(correlator.correlate({ ...POD, uid: 'uid-2' }, STARTED, NOW)).toBeDefined();
  expect(correlator.correlate(POD, STARTED, NOW + 4 * MINUTE_MS)).toBeUndefined();
  expect(correlator.correlate(POD, STARTED, NOW + 5 * MINUTE_MS)).toMatchObject({ count: 42 });
  expect(correlator.correlate(POD, STARTED, NOW + 6 * MINUTE_MS)).toBeUndefined();
});

test('an event that is not repeated within an hour is a new one, since the API has forgotten it', () => {
  const correlator = new EventCorrelator();
  const first = correlator.correlate(POD, STARTED, NOW);
  const second = correlator.correlate(POD, STARTED, NOW + 60 * MINUTE_MS);
  expect(second).toMatchObject({ count: 1 });
  expect(second?.name).not.toBe(first?.name);
});

test('a clock that is set back neither writes more nor stops events', () => {
  const correlator = new EventCorrelator();
  for (let index = 0; index < 30; index += 1) correlator.correlate(POD, STARTED, NOW);
  expect(correlator.correlate(POD, STARTED, NOW - 60 * MINUTE_MS)).toBeUndefined();
  expect(correlator.correlate(POD, STARTED, NOW - 55 * MINUTE_MS)).toMatchObject({ count: 32 });
});

test('names and messages fit into the API', () => {
  const name = `${'a'.repeat(235)}.${'b'.repeat(17)}`;
  const long = new EventCorrelator().correlate({ ...POD, name }, KUBELET_EVENTS.startFailed('x'.repeat(1e6)), NOW);
  expect(long?.name).toMatch(/^a{235}\.[0-9a-f]{16}$/);
  expect(long?.message.length).toBeLessThan(3000);
});

test('what is remembered is bounded', () => {
  const correlator = new EventCorrelator();
  correlator.correlate(POD, STARTED, NOW);
  for (let index = 0; index < 1000; index += 1) correlator.correlate({ ...POD, uid: `other-${index}` }, STARTED, NOW);
  expect(correlator.correlate(POD, STARTED, NOW)).toMatchObject({ count: 1 });
});
