import { expect, test } from 'vitest';
import { nodeNameOf, requireNodeName } from './node-name.ts';

test.each(['', 'Win-1', 'a_b', '-a', 'a..b', 'a'.repeat(254)])('no node is named %j', (name) => {
  expect(() => requireNodeName(name)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
});

test('a node may be named as its host is in the network', () => {
  expect(() => requireNodeName('win-1.shop.example')).not.toThrow();
});

test("hostname-override of the arguments goes before the name given, and that before the host's; all in lower case", () => {
  const extraArgs = [
    { name: 'hostname-override', value: 'First' },
    { name: 'hostname-override', value: ' Last ' },
  ];
  expect(nodeNameOf({ hostName: 'HOST', registrationName: 'Given', extraArgs })).toBe('last');
  expect(nodeNameOf({ hostName: 'HOST', registrationName: ' Given', extraArgs: [] })).toBe('given');
  expect(nodeNameOf({ hostName: ' HOST ', registrationName: '' })).toBe('host');
});
