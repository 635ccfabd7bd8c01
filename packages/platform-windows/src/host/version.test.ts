import { expect, test } from 'vitest';
import { nameOf } from './version.ts';

test.each([
  ['Windows 10 Pro', 19_045, '22H2', 'Windows 10 Pro 22H2'],
  ['Windows 10 Pro', 22_631, '23H2', 'Windows 11 Pro 23H2'],
  ['Windows Server 2022 Datacenter', 20_348, '21H2', 'Windows Server 2022 Datacenter 21H2'],
  ['Windows 10 Pro', 19_043, undefined, 'Windows 10 Pro'],
])('%s with build %i and version %s is called %s', (product, build, version, name) => {
  expect(nameOf(product, build, version)).toBe(name);
});
