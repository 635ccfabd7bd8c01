import { expect, test } from 'vitest';
import { ageOf, humanDuration } from './columns.ts';

const SECONDS = 1000;
const MINUTES = 60 * SECONDS;
const HOURS = 60 * MINUTES;
const DAYS = 24 * HOURS;

test.each([
  [-5 * SECONDS, '<invalid>'],
  [-500, '0s'],
  [119 * SECONDS, '119s'],
  [2 * MINUTES, '2m'],
  [5 * MINUTES + 10 * SECONDS, '5m10s'],
  [179 * MINUTES, '179m'],
  [3 * HOURS, '3h'],
  [7 * HOURS + 5 * MINUTES, '7h5m'],
  [47 * HOURS, '47h'],
  [3 * DAYS + 2 * HOURS, '3d2h'],
  [100 * DAYS, '100d'],
  [800 * DAYS, '2y70d'],
  [9 * 365 * DAYS, '9y'],
])('a duration of %i ms is shown as %s', (milliseconds, shown) => {
  expect(humanDuration(milliseconds)).toBe(shown);
});

test('an age without a timestamp is unknown', () => {
  expect(ageOf('', new Date(0))).toBe('<unknown>');
});
