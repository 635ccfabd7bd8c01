import { OperatorError } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { win32CodeOf, win32Error } from './win32-error.ts';
import { WIN32_MEANINGS } from './win32-meanings.ts';

test('win32Error says what could not be done, why, and the number', () => {
  const error = win32Error(1058, 'start service "edgecore"');
  expect(error.message).toBe('Cannot start service "edgecore": the service is disabled (Windows error 1058)');
  expect(error.code).toBe('SERVICE_CONFLICT');
  expect(error.details).toEqual({ win32: 1058 });
  expect(win32CodeOf(error)).toBe(1058);
});

test('win32Error of a number no one explained still has a hint', () => {
  expect(win32Error(99_999, 'do it')).toMatchObject({ code: 'SYSTEM_CALL_FAILED', details: { win32: 99_999 } });
});

test('win32CodeOf is undefined for errors that are not from Windows', () => {
  expect(win32CodeOf(new Error('x'))).toBeUndefined();
  expect(win32CodeOf(new OperatorError('USAGE', 'x', { hint: 'y' }))).toBeUndefined();
});

test.each(Object.entries(WIN32_MEANINGS))(
  'the hint for Windows error %s is one sentence',
  (_number, [, meaning, hint]) => {
    expect(hint).toMatch(/^[A-Z].*\.$/);
    expect(meaning).toMatch(/^[a-z].*[^.]$/);
  },
);
