import { expect, test } from 'vitest';
import { isGuarded } from './journal-watch.ts';

function planAt(arm: string, disarm: string): Parameters<typeof isGuarded>[0] {
  const kinds = ['arm-guard', 'stop-service', 'disarm-guard'];
  return {
    steps: kinds.map((kind, index) => ({ index, step: { kind } })),
    progress: [arm, 'pending', disarm].map((state) => ({ state })),
  };
}

test.each([
  ['pending', 'pending', false],
  ['begun', 'pending', false],
  ['done', 'pending', true],
  ['done', 'begun', true],
  ['done', 'done', false],
])('isGuarded: guard armed %s, disarmed %s: %s', (arm, disarm, guarded) => {
  expect(isGuarded(planAt(arm, disarm))).toBe(guarded);
});
