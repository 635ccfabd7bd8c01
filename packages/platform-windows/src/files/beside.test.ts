import { expect, test } from 'vitest';
import { besideName, isBeside } from './beside.ts';

test('isBeside knows the names that besideName gives', () => {
  expect(isBeside(besideName('edgecore.exe', 'old'), 'edgecore.exe', 'old')).toBe(true);
  expect(isBeside(besideName('EdgeCore.exe', 'tmp'), 'edgecore.EXE', 'tmp')).toBe(true);
});

test.each([
  'edgecore.exe',
  'edgecore.exe.old',
  'edgecore.exe.0123456789ab.tmp',
  'edgecore.exe.0123456789ab.old.txt',
  'edgecore.exe.0123456789xy.old',
  'edgecore.exe.previous.0123456789ab.old',
  'my-edgecore.exe.0123456789ab.old',
])('isBeside does not claim "%s"', (name) => {
  expect(isBeside(name, 'edgecore.exe', 'old')).toBe(false);
});
