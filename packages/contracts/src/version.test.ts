import { array, assert, nat, oneof, option, property, stringMatching, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { compareVersions, isVersion, versionTag } from './version.ts';

const IN_ORDER = [
  '0.9.9',
  'v1.0.0-0',
  '1.0.0-2',
  '1.0.0-10',
  'v1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-alpha.beta',
  'v1.0.0-beta.2',
  '1.0.0-beta.11',
  '1.0.0-rc.1',
  'v1.0.0',
  '1.0.1',
  '1.2.0',
  'v1.10.0',
  '2.0.0',
  '99999999999999999999.0.0',
];

test('compareVersions puts versions in the order of their age', () => {
  const shuffled = IN_ORDER.toSorted();
  expect(shuffled.toSorted(compareVersions)).toEqual(IN_ORDER);
});

const number = nat().map(String);
const word = stringMatching(/^[a-z-][0-9a-z-]{0,4}$/);
const preRelease = array(oneof(number, word), { minLength: 1, maxLength: 3 }).map((items) => `-${items.join('.')}`);
const version = tuple(number, number, number, option(preRelease, { nil: '' })).map(
  ([major, minor, patch, rest]) => `${major}.${minor}.${patch}${rest}`,
);

test('compareVersions is an order: both ways round, and over three', () => {
  assert(
    property(version, version, version, (one, two, three) => {
      expect(Math.sign(compareVersions(one, two))).toBe(-Math.sign(compareVersions(two, one)) + 0);
      expect(compareVersions(one, one)).toBe(0);
      const [first = '', second = '', third = ''] = [one, two, three].toSorted(compareVersions);
      expect(compareVersions(first, second)).toBeLessThanOrEqual(0);
      expect(compareVersions(first, third)).toBeLessThanOrEqual(0);
    }),
  );
});

test('compareVersions does not mind the letter, and build metadata has no say', () => {
  assert(
    property(version, (text) => {
      expect(compareVersions(text, `v${text}`)).toBe(0);
      expect(compareVersions(`${text}+build.7`, versionTag(text))).toBe(0);
      expect(compareVersions('unknown', text)).toBeLessThan(0);
    }),
  );
});

test.each(['', 'v', '1', '1.2', 'latest', '1.2.3.4', '01.2.3', '1.2.3-', '1.2.3/..', 'v1.2.3 ', '../1.2.3'])(
  'isVersion: %j is none',
  (text) => {
    expect(isVersion(text)).toBe(false);
  },
);

test.each(['1.23.0', 'v1.23.0', 'v1.23.0-beta.0', 'v1.23.0-12+3f5a', '0.0.0-source'])(
  'isVersion: %j is one',
  (text) => {
    expect(isVersion(text)).toBe(true);
    expect(versionTag(text)).toBe(`v${text.replace('v', '')}`);
  },
);
