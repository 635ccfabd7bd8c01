import { expect, test } from 'vitest';
import { durationMilliseconds, logSize, logSizeBytes } from './scalars.ts';

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

test.each([
  ['10Mi', 10 * 1024 * 1024],
  ['500k', 500_000],
  ['1.5Gi', 1.5 * 2 ** 30],
  ['.5Mi', 2 ** 19],
  ['1e6', 1_000_000],
  ['+100Mi', 100 * 2 ** 20],
  ['20000m', 20],
  ['-1', Infinity],
  ['-1Gi', Infinity],
  ['0', Infinity],
])('a log of size %s has %d bytes at most', (size, bytes) => {
  expect(logSize.safeParse(size).success).toBe(true);
  expect(logSizeBytes(size)).toBe(bytes);
});

test.each(['', 'ten', '1.2.3', '10 MB', '-'])('"%s" is no size of a log', (size) => {
  expect(logSize.safeParse(size).success).toBe(false);
});
