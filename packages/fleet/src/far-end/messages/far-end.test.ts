import { expect, test } from 'vitest';
import { failureIn, farEndLine, isInsideParcel, jsonIn, parseFarEndLine } from '../messages.ts';

test('an event is one line, and anything else is none', () => {
  const event = { type: 'line', text: 'a\nb', next: 5 } as const;
  expect(farEndLine(event)).not.toContain('\n');
  expect(parseFarEndLine(farEndLine(event))).toEqual(event);
  expect(parseFarEndLine('Last login: yesterday')).toBeUndefined();
  expect(parseFarEndLine('{"type":"line"}')).toBeUndefined();
});

test('a failure is found in what keadm prints, with noise around it', () => {
  const error = { code: 'X', message: 'm', hint: 'h' };
  const printed = JSON.stringify({ error, plan: [] }, undefined, 2);
  expect(failureIn(`Welcome\n${printed}\nbye\n`)).toEqual(error);
  expect(failureIn('{"outcome":"applied"}')).toBeUndefined();
  expect(failureIn('killed')).toBeUndefined();
  expect(jsonIn('')).toBeUndefined();
});

test.each(['a', 'a/b', 'a b', '...'])('%j stays inside', (path) => expect(isInsideParcel(path)).toBe(true));
test.each(['', '/a', '../a', 'a/../b', 'a//b', 'C:/a', 'a\\..\\b', '.'])('%j does not', (path) => {
  expect(isInsideParcel(path)).toBe(false);
});
