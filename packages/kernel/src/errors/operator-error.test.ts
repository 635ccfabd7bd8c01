import { expect, test, vi } from 'vitest';
import { OperatorError } from './operator-error.ts';

test('an error made by another copy of the class is known as one', async () => {
  vi.resetModules();
  const copy = await import('./operator-error.ts');
  expect(copy.OperatorError).not.toBe(OperatorError);
  const error: unknown = new copy.OperatorError('TIMED_OUT', 'Cannot wait', { hint: 'Wait.' });
  expect(error).toBeInstanceOf(OperatorError);
  expect(error).toMatchObject({ code: 'TIMED_OUT', exitCode: 13 });
});

test.each([new Error('plain'), { code: 'TIMED_OUT', hint: '' }, undefined, null, 'text'])('%j is none', (value) => {
  expect(value instanceof OperatorError).toBe(false);
});
