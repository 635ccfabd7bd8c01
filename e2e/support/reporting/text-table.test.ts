import { expect, test } from 'vitest';
import { textTable } from './text-table.ts';

test('textTable lines words up on the left and numbers on the right', () => {
  const table = textTable(
    ['command', 'kills'],
    [
      ['join', 7],
      ['config apply', 12],
    ],
  );
  expect(table.split('\n')).toEqual([
    'command       kills',
    '------------  -----',
    'join              7',
    'config apply     12',
  ]);
});
