import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, test, vi } from 'vitest';
import { fileError, OperatorError } from './errors.ts';

test('an error made by another copy of the class is known as one', async () => {
  vi.resetModules();
  const copy = await import('./errors.ts');
  expect(copy.OperatorError).not.toBe(OperatorError);
  const error: unknown = new copy.OperatorError('TIMED_OUT', 'Cannot wait', { hint: 'Wait.' });
  expect(error).toBeInstanceOf(OperatorError);
  expect(error).toMatchObject({ code: 'TIMED_OUT', exitCode: 13 });
});

test.each([new Error('plain'), { code: 'TIMED_OUT', hint: '' }, undefined, null, 'text'])('%j is none', (value) => {
  expect(value instanceof OperatorError).toBe(false);
});

test('a folder in place of a file is not blamed on the disk', async () => {
  const cause: unknown = await readFile(tmpdir()).catch((error: unknown) => error);
  expect(fileError(cause, 'read it')).toMatchObject({ code: 'FILE_FAILED', hint: 'It is a folder: name a file.' });
});
