import { expect, test } from 'vitest';
import { planRotation } from './plan-rotation.ts';

const now = Date.parse('2026-03-01T10:00:30.500Z');

function plan(names: readonly string[], maxFiles = 5) {
  return planRotation({ names, attempt: 0, maxFiles, now });
}

test('the first rotation renames the file to its time', () => {
  expect(plan(['0.log'])).toEqual({
    remove: [],
    compress: [],
    rename: { from: '0.log', to: '0.log.20260301-100030' },
  });
});

test('the file of the rotation before is compressed', () => {
  const names = ['0.log', '0.log.20260301-090000', '0.log.20260301-080000.gz'];
  expect(plan(names)).toMatchObject({ remove: [], compress: ['0.log.20260301-090000'] });
});

test('the oldest files are removed, so that the limit holds after the rotation', () => {
  const names = ['5', '3', '4', '1', '2'].map((hour) => `0.log.20260301-0${hour}0000.gz`);
  expect(plan(['0.log', ...names]).remove).toEqual(['0.log.20260301-010000.gz', '0.log.20260301-020000.gz']);
  expect(plan(['0.log', ...names], 2).remove).toHaveLength(5);
});

test('what an interrupted rotation left is removed and not counted', () => {
  const names = ['0.log.20260301-090000', '0.log.20260301-090000.gz', '0.log.20260301-091000.tmp'];
  expect(plan([...names, '0.log'], 3)).toMatchObject({
    remove: ['0.log.20260301-090000', '0.log.20260301-091000.tmp'],
    compress: [],
  });
});

test.each([
  ['the same second', '20260301-100030', '20260301-100031'],
  ['a clock that was set back', '20270101-235959', '20270102-000000'],
])('after %s the new name is still the last one', (_, before, expected) => {
  expect(plan(['0.log', `0.log.${before}`]).rename.to).toBe(`0.log.${expected}`);
});

test('logs of other instances and foreign files are left alone', () => {
  const names = ['0.log', '1.log', '10.log.20260101-000000', '0.log.old', '00.log.20260101-000000', '0.log.1.tmp'];
  expect(plan(names, 2)).toMatchObject({ remove: [], compress: [] });
});
