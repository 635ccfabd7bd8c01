import { expect, test } from 'vitest';
import { ownProblems, parentProblems } from './privacy.ts';

const rights = (mode: number, uid: number): Parameters<typeof ownProblems>[0] => ({
  mode,
  uid,
  isDirectory: () => false,
  isSymbolicLink: () => false,
});

test('ownProblems says who can do what', () => {
  expect(ownProblems(rights(0o100600, 0), 0)).toEqual([]);
  expect(ownProblems(rights(0o100644, 1000), 0)).toEqual([
    'it belongs to user 1000',
    'its group can read it',
    'everybody can read it',
  ]);
});

test('parentProblems minds folders where others can swap files, except sticky ones', () => {
  expect(parentProblems('/tmp', rights(0o041777, 0), 0)).toEqual([]);
  expect(parentProblems('/srv', rights(0o040777, 0), 0)).toHaveLength(2);
  expect(parentProblems('/home/x', rights(0o040755, 1000), 0)).toEqual([
    'the folder "/home/x" above it belongs to user 1000',
  ]);
});
