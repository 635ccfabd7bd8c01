import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isNewerVersion, objectSyncName, parseObjectSyncName } from './object-identity.ts';

test('parseObjectSyncName undoes objectSyncName, for nodes with dots in their names too', () => {
  const node = fc.stringMatching(/^[a-z0-9.-]+$/);
  fc.assert(
    fc.property(node, fc.uuid(), (name, uid) => {
      expect(parseObjectSyncName(objectSyncName({ node: name, uid }))).toEqual({ node: name, uid });
    }),
  );
});

test.each(['', 'x', '.uid', 'node.'])('"%s" is not a name of a record', (name) => {
  expect(parseObjectSyncName(name)).toBeUndefined();
});

test('isNewerVersion orders versions as the 64-bit numbers they are', () => {
  const version = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
  fc.assert(
    fc.property(version, version, (a, b) => {
      expect(isNewerVersion(`${a}`, `${b}`)).toBe(a > b);
    }),
    { numRuns: 500 },
  );
  expect(isNewerVersion('10', '9')).toBe(true);
  expect(isNewerVersion('007', '7')).toBe(false);
});

test('isNewerVersion takes any difference for newer where a version is not a number, and never throws', () => {
  expect(isNewerVersion('abc', '7')).toBe(true);
  expect(isNewerVersion('7', '')).toBe(true);
  expect(isNewerVersion('abc', 'abc')).toBe(false);
});
