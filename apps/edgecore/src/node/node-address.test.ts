import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { chooseAddress, interfaceAddresses, routedAddress } from './node-address.ts';
import { parseQuantity, parseThreshold } from '@fenestra/contracts/objects';

const INTERFACES = [
  { interfaceName: 'eth0', address: '2001:db8::1', family: 'IPv6' },
  { interfaceName: 'eth0', address: '192.0.2.1', family: 'IPv4' },
  { interfaceName: 'eth1', address: '198.51.100.1', family: 'IPv4' },
] as const;

test.each([
  [{ address: '', interfaceName: '', routed: '198.51.100.1' }, '198.51.100.1'],
  [{ address: '', interfaceName: '', routed: '127.0.0.1' }, '192.0.2.1'],
  [{ address: '', interfaceName: '', routed: undefined }, '192.0.2.1'],
  [{ address: '203.0.113.5,2001:db8::5', interfaceName: '', routed: '198.51.100.1' }, '203.0.113.5'],
  [{ address: '203.0.113.5', interfaceName: 'eth1', routed: undefined }, '198.51.100.1'],
  [{ address: '', interfaceName: 'gone0', routed: undefined }, '192.0.2.1'],
])('chooseAddress takes %j to %s', (choice, address) => {
  expect(chooseAddress({ ...choice, interfaces: INTERFACES })).toBe(address);
});

test('chooseAddress knows an address even on a machine without a network', () => {
  expect(chooseAddress({ address: '', interfaceName: '', interfaces: [], routed: undefined })).toBe('127.0.0.1');
});

test('interfaceAddresses leaves out what others cannot use', () => {
  const common = { netmask: '', mac: '', cidr: null };
  const interfaces = {
    lo: [{ ...common, address: '127.0.0.1', family: 'IPv4' as const, internal: true }],
    eth0: [
      { ...common, address: 'fe80::1', family: 'IPv6' as const, internal: false, scopeid: 2 },
      { ...common, address: '192.0.2.1', family: 'IPv4' as const, internal: false },
    ],
  };
  expect(interfaceAddresses(interfaces)).toEqual([{ interfaceName: 'eth0', address: '192.0.2.1', family: 'IPv4' }]);
});

test('routedAddress finds the way without sending anything', async () => {
  const peer = createSocket('udp4').bind(0, '127.0.0.1');
  await once(peer, 'listening');
  let heard = 0;
  peer.on('message', () => (heard += 1));
  const { signal } = new AbortController();
  expect(await routedAddress(`127.0.0.1:${peer.address().port}`, signal)).toBe('127.0.0.1');
  expect(await routedAddress('no-such-host.invalid:10000', signal)).toBeUndefined();
  expect(heard).toBe(0);
  peer.close();
});

test('quantities and thresholds are read as Kubernetes writes them', () => {
  expect(['100Mi', '0.5', '500m', '1e3', '2k', '10 Mi', 'x', ''].map(parseQuantity)).toEqual([
    104_857_600,
    0.5,
    0.5,
    1_000,
    2_000,
    undefined,
    undefined,
    undefined,
  ]);
  expect([parseThreshold('10%', 200), parseThreshold('50', 200), parseThreshold(undefined, 200)]).toEqual([20, 50, 0]);
});
