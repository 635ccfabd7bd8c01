import { RECOVERY_POLICY } from '@fenestra/platform';
import { expect, test } from 'vitest';
import { recoveryCount } from './supervise-service.ts';

const HOUR_MS = 60 * 60 * 1000;

test('the waits grow, and the last one repeats', () => {
  const count = recoveryCount();
  const waits = [0, 1, 2, 3, 4].map((hour) => count.afterFailure(RECOVERY_POLICY, hour * HOUR_MS));
  expect(waits).toEqual([60, 120, 300, 300, 300]);
});

test('the count begins again after a day without a failure', () => {
  const count = recoveryCount();
  const waits = [0, 1, 26, 27].map((hour) => count.afterFailure(RECOVERY_POLICY, hour * HOUR_MS));
  expect(waits).toEqual([60, 120, 60, 120]);
});

test('a policy without restarts never restarts', () => {
  expect(recoveryCount().afterFailure({ restartDelaysSeconds: [], resetAfterSeconds: 1 }, 0)).toBeUndefined();
});
