import { expect, test } from 'vitest';
import { durationMilliseconds } from './scalars.ts';

test.each([
  ['0s', 0],
  ['0', 0],
  ['10s', 10_000],
  ['1m30s', 90_000],
  ['4h0m0s', 14_400_000],
  ['100ms', 100],
  ['1.5h', 5_400_000],
  ['250us', 0.25],
])('%s is %d milliseconds', (duration, milliseconds) => {
  expect(durationMilliseconds(duration)).toBeCloseTo(milliseconds);
});
