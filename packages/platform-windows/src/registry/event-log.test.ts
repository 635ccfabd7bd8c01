import { expect, test } from 'vitest';
import { describeError } from './event-log.ts';

test('describeError tells an error with everything that caused it', () => {
  const text = describeError(new Error('upper', { cause: new Error('lower', { cause: 'bottom' }) }));
  expect(text).toMatch(/upper[^]*Caused by: Error: lower[^]*Caused by: bottom/);
});
