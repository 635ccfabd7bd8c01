import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { exponentialBackoff } from './waiting.ts';

const policy = { firstMs: 1000, capMs: 30_000, healthyAfterMs: 60_000 };

test('the limits of the waits double up to the cap', () => {
  const backoff = exponentialBackoff(policy, () => 0.999_999);
  const waits = Array.from({ length: 7 }, () => backoff.next(0));
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
});

test('something that lasted long enough begins with a short wait again, and so does a reset', () => {
  const backoff = exponentialBackoff(policy, () => 0.999_999);
  backoff.next(0);
  backoff.next(0);
  expect(backoff.next(60_000)).toBe(1000);
  expect(backoff.next(59_999)).toBe(2000);
  backoff.reset();
  expect(backoff.next(0)).toBe(1000);
});

test('any wait lies between a tenth of its limit and the limit, however often it fails', () => {
  const tries = fc.array(fc.record({ random: fc.double({ min: 0, max: 0.999_999, noNaN: true }), lasted: fc.nat() }), {
    maxLength: 100,
  });
  fc.assert(
    fc.property(tries, (all) => {
      let share = 0;
      const backoff = exponentialBackoff(policy, () => share);
      for (const { random, lasted } of all) {
        share = random;
        const wait = backoff.next(lasted);
        expect(wait).toBeGreaterThanOrEqual(policy.firstMs / 10);
        expect(wait).toBeLessThanOrEqual(policy.capMs);
      }
    }),
  );
});

test('two thousand nodes that fail together spread their first try over most of the window', () => {
  const waits = Array.from({ length: 2000 }, () => exponentialBackoff(policy, Math.random).next(0));
  const busiest = Math.max(
    ...Array.from({ length: 10 }, (_, n) => waits.filter((w) => Math.floor(w / 100) === n).length),
  );
  expect(busiest).toBeLessThan(400);
});
