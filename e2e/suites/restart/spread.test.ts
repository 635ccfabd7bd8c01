import { expect, test } from 'vitest';
import { spread } from './spread.ts';

test('moments are counted by stretches from a beginning on, empty ones included', () => {
  expect(spread([5, 100, 101, 350, 199], 100, 100)).toEqual({ counts: [3, 0, 1], most: 3 });
  expect(spread([], 0, 100)).toEqual({ counts: [], most: 0 });
});
