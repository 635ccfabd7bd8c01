import { ERROR_CODES, OperatorError, type ErrorCode } from '@fenestra/kernel';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { NodePart } from './node-worker.ts';
import { retryAfter, retryDelayMs } from './retry.ts';

const PARTS: readonly NodePart[] = ['survey', 'deliver', 'execute', 'prove', 'roll-back'];
const TABLE: Partial<Record<ErrorCode, readonly NodePart[]>> = {
  REMOTE_UNREACHABLE: PARTS,
  REMOTE_LOST: PARTS,
  REMOTE_TIMEOUT: ['survey', 'deliver', 'prove'],
  DELIVERY_FAILED: ['deliver'],
};
const codes = Object.keys(ERROR_CODES).filter((code): code is ErrorCode => code in ERROR_CODES);

test.each(codes)('%s is retried in the parts where a retry may cure it', (code) => {
  const error = new OperatorError(code, 'Cannot', { hint: 'None.' });
  expect(PARTS.filter((part) => retryAfter(error, part) === 'continue')).toEqual(TABLE[code] ?? []);
  expect(PARTS.filter((part) => retryAfter(error, part) === 'start-over')).toEqual([]);
});

test('a command that failed for a transient reason is started over, a dry run is repeated, a rollback is not', () => {
  expect(PARTS.filter((part) => retryAfter(commandFailure(true), part) === 'start-over')).toEqual(['execute']);
  expect(PARTS.filter((part) => retryAfter(commandFailure(true), part) === 'continue')).toEqual(['survey']);
  expect(retryAfter(commandFailure(true), 'execute')).toBe('start-over');
  expect(retryAfter(commandFailure(false), 'execute')).toBe('none');
});

function commandFailure(mayPass: boolean): OperatorError {
  return new OperatorError('REMOTE_COMMAND_FAILED', 'Cannot', { hint: 'None.', details: { mayPass } });
}

test('an unexpected error is not retried', () => {
  expect(retryAfter(new TypeError('x is not a function'), 'deliver')).toBe('none');
});

test('delays are anything up to a bound that doubles until it is the longest', () => {
  const retries = { attempts: 9, firstDelaySeconds: 2, longestDelaySeconds: 30 };
  const longest = [1, 2, 3, 4, 5, 6].map((attempts) => retryDelayMs(retries, attempts, () => 1));
  expect(longest).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000]);
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2000 }), share, (attempts, random) => {
      const delay = retryDelayMs(retries, attempts, () => random);
      expect(delay >= 0 && delay <= 30_000).toBe(true);
    }),
  );
});
