import { expect, test } from 'vitest';
import { calmProgress } from './calm-progress.ts';

test('of a thousand steps within a moment the first and the last are told, once', () => {
  const told: number[] = [];
  const progress = calmProgress((done) => told.push(done));
  for (let done = 0; done <= 1000; done += 1) progress(done, 1000);
  progress(1000, 1000);
  expect([told[0], told.at(-1)]).toEqual([0, 1000]);
  expect(told.length).toBeLessThan(5);
});

test('where there is nothing to send, nothing is told', () => {
  const told: number[] = [];
  calmProgress((done) => told.push(done))(0, 0);
  expect(told).toEqual([]);
});
