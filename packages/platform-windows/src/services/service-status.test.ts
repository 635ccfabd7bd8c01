import { expect, test } from 'vitest';
import { toStatus } from './service-status.ts';

const record = {
  type: 0x10,
  state: 1,
  accepts: 0,
  exitCode: 0,
  specificExitCode: 0,
  checkPoint: 0,
  waitHint: 0,
  pid: 0,
  flags: 0,
};

test('a service that was never started is stopped and has no exit code', () => {
  expect(toStatus({ ...record, exitCode: 1077 })).toEqual({ state: 'stopped' });
});

test('a service that stopped with its own error is failed and shows that error', () => {
  expect(toStatus({ ...record, exitCode: 1066, specificExitCode: 42 })).toEqual({ state: 'failed', exitCode: 42 });
});

test('a service whose process died is failed', () => {
  expect(toStatus({ ...record, exitCode: 1067 })).toEqual({ state: 'failed', exitCode: 1067 });
});

test('a running service shows its process', () => {
  expect(toStatus({ ...record, state: 4, pid: 77 })).toEqual({ state: 'running', pid: 77 });
});

test.each([
  [2, 'starting'],
  [3, 'stopping'],
])('state %i is %s', (state, expected) => {
  expect(toStatus({ ...record, state }).state).toBe(expected);
});

test.each([5, 6, 7])('a service in state %i has its process, and is paused', (state) => {
  expect(toStatus({ ...record, state, pid: 77 })).toEqual({ state: 'running', pid: 77, paused: true });
});
