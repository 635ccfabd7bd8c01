import { expect, test } from 'vitest';
import { isSameBoot } from './processes.ts';

test.each([
  ['133000000000000000', '133000000000000000', true],
  ['133000000000000000', '133000000000000001', false],
  ['133000000000000000', 'unknown', true],
  ['unknown', 'an-earlier-boot', true],
])('boots %s and %s may be the same: %s', (left, right, same) => {
  expect(isSameBoot(left, right)).toBe(same);
});
