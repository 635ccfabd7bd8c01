import { RECOVERY_POLICY } from '@fenestra/platform';
import { expect, test } from 'vitest';
import { NO_RECOVERY, toFailureActions, toPolicy } from './recovery.ts';

test('toFailureActions restarts after 60, 120 and 300 seconds and resets after a day', () => {
  expect(toFailureActions(RECOVERY_POLICY)).toEqual({
    resetSeconds: 86_400,
    rebootMessage: null,
    command: null,
    count: 3,
    actions: [
      { type: 1, delay: 60_000 },
      { type: 1, delay: 120_000 },
      { type: 1, delay: 300_000 },
    ],
  });
});

test('toPolicy reads back what toFailureActions wrote', () => {
  expect(toPolicy(toFailureActions(RECOVERY_POLICY))).toEqual(RECOVERY_POLICY);
});

test('toFailureActions takes restarts away by an action that does nothing', () => {
  expect(toFailureActions(NO_RECOVERY)).toMatchObject({ count: 1, actions: [{ type: 0, delay: 0 }] });
  expect(toPolicy(toFailureActions(NO_RECOVERY))).toEqual(NO_RECOVERY);
});

test('toPolicy leaves out actions that are not restart', () => {
  expect(toPolicy({ resetSeconds: 5, actions: [{ type: 0, delay: 0 }] })).toEqual({
    restartDelaysSeconds: [],
    resetAfterSeconds: 5,
  });
});
