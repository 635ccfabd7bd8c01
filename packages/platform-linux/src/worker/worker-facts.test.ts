import { workerHostContract } from '@fenestra/platform/contract';
import { expect, test } from 'vitest';
import { testContract } from '../testing/contract-tests.ts';
import {
  allowsCapability,
  noContainerNetworks,
  unmanagedFirewall,
  parseSwaps,
  parseSwitch,
  readWorkerFacts,
} from './worker-facts.ts';

testContract(
  workerHostContract({
    facts: readWorkerFacts,
    firewall: unmanagedFirewall(),
    networks: noContainerNetworks(),
    cannotShow: { 'rule-read-back': 'No firewall is ours to tell' },
  }),
);

test('parseSwaps names what is in use, with the blanks that the kernel writes as numbers', () => {
  const table = 'Filename\tType\tSize\tUsed\tPriority\n/dev/sda2 partition 1 0 -2\n/var/a\\040b file 1 0 -3\n';
  expect(parseSwaps(table)).toEqual(['/dev/sda2', '/var/a b']);
});

test.each(['', 'Filename\tType\tSize\tUsed\tPriority\n'])('parseSwaps of %j is nothing', (table) => {
  expect(parseSwaps(table)).toEqual([]);
});

test('parseSwitch tells on from off, and neither from no answer', () => {
  expect(['1\n', '0\n', ''].map(parseSwitch)).toEqual([true, false, undefined]);
});

test.each([
  ['CapEff:\t0000000000000000\nCapBnd:\t000001ffffffffff\n', true],
  ['CapEff:\t000001ffffffffff\nCapBnd:\t000001fffeffffff\n', false],
  ['', false],
])('allowsCapability looks at the bounding set in %j', (status, allows) => {
  expect(allowsCapability(status, 24n)).toBe(allows);
});
