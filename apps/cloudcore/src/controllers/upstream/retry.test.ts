import { OperatorError, type ErrorCode } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { withPatience } from './retry.ts';

const { signal } = new AbortController();

/** Fails so many times, then succeeds; counts. */
function flaky(code: ErrorCode, failures: number) {
  const self = {
    tries: 0,
    async run() {
      if (self.tries++ < failures) throw new OperatorError(code, 'Cannot do it', { hint: 'Try again.' });
      return 'done';
    },
  };
  return self;
}

test('an API server that is away for a moment is tried again', async () => {
  const work = flaky('API_UNREACHABLE', 1);
  expect(await withPatience(() => work.run(), signal)).toBe('done');
});

test('patience ends, and the failure is the answer', async () => {
  const work = flaky('API_FAILED', 100);
  await expect(withPatience(() => work.run(), signal, 300)).rejects.toMatchObject({ code: 'API_FAILED' });
  expect(work.tries).toBeLessThan(4);
});

test.each(['API_CONFLICT', 'API_NOT_FOUND', 'API_FORBIDDEN', 'API_REFUSED'] as const)(
  '%s is no use trying again',
  async (code) => {
    const work = flaky(code, 1);
    await expect(withPatience(() => work.run(), signal)).rejects.toMatchObject({ code });
    expect(work.tries).toBe(1);
  },
);
