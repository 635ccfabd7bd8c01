import { expect, test } from 'vitest';
import { likelyTargets } from './likely-targets.ts';

const here = { os: 'linux', arch: 'x64' } as const;

test('what is given is read ahead, else what this machine is itself, and nothing that has to be fetched', () => {
  const given = new Map([['windows-x64', '/keadm.exe']]);
  expect(likelyTargets({ kind: 'own' }, given, here)).toEqual([{ os: 'windows', arch: 'x64' }]);
  expect(likelyTargets({ kind: 'own' }, new Map(), here)).toEqual([here]);
  expect(likelyTargets({ kind: 'own' }, new Map(), { ...here, arch: 'other' })).toEqual([]);
  expect(likelyTargets({ kind: 'download' }, new Map(), here)).toEqual([]);
});
