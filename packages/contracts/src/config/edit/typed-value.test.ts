import { expect, test } from 'vitest';
import { parseAssignment, splitByComma } from './typed-value.ts';

test('a value may hold what separates others', () => {
  expect(parseAssignment('a.b = x=y,z ')).toEqual({ path: 'a.b', value: 'x=y,z' });
  expect(parseAssignment('a=')).toEqual({ path: 'a', value: '' });
});

test("upstream's list is split at the commas outside of braces and quotes", () => {
  expect(splitByComma(`a=1, b={x,y},c="p,q",d='r,"s', e=k=v,`).map(parseAssignment)).toEqual([
    { path: 'a', value: '1' },
    { path: 'b', value: '{x,y}' },
    { path: 'c', value: '"p,q"' },
    { path: 'd', value: `'r,"s'` },
    { path: 'e', value: 'k=v' },
  ]);
});

test.each(['a', '=1', ' = ', 'hunter2'])('%j is not a wish, and is not repeated in the message', (text) => {
  expect(() => parseAssignment(text)).toThrow(expect.objectContaining({ code: 'USAGE' }));
  expect(() => parseAssignment(text)).not.toThrow('hunter2');
});
