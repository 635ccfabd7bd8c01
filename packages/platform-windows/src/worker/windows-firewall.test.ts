import type { FirewallRule } from '@fenestra/platform';
import { expect, test } from 'vitest';
import { addRuleArguments, letsIn, parseStoredRule } from './windows-firewall.ts';

const RULE: FirewallRule = { name: 'fenestra-kubelet', description: 'The kubelet', protocol: 'tcp', port: 10_250 };
const STORED = 'v2.31|Action=Allow|Active=TRUE|Dir=In|Protocol=6|LPort=10250|Name=fenestra-kubelet|Desc=a=b|';

test('a stored rule is the one that was added', () => {
  expect(letsIn(parseStoredRule(STORED), RULE)).toBe(true);
  expect(parseStoredRule(STORED).get('Desc')).toBe('a=b');
});

test.each([
  ['another port', STORED.replace('10250', '10255')],
  ['another protocol', STORED.replace('Protocol=6', 'Protocol=17')],
  ['another name', STORED.replace('fenestra-kubelet', 'kubelet')],
  ['switched off', STORED.replace('TRUE', 'FALSE')],
  ['a block', STORED.replace('Allow', 'Block')],
  ['outward', STORED.replace('Dir=In', 'Dir=Out')],
  ['for one kind of network', `${STORED}Profile=Domain|`],
  ['for some addresses', `${STORED}RA4=10.0.0.0/255.0.0.0|`],
  ['empty', ''],
])('a stored rule that is %s lets the traffic not in', (_, stored) => {
  expect(letsIn(parseStoredRule(stored), RULE)).toBe(false);
});

test('every word of the command for netsh is its own argument', () => {
  expect(addRuleArguments({ ...RULE, description: 'a "b" & c' })).toContain('description=a "b" & c');
});
