import { expect, test } from 'vitest';
import { addressKey } from './address-key.ts';

test.each([
  ['10.0.0.5', '10.0.0.5'],
  ['::ffff:10.0.0.5', '10.0.0.5'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
  ['2001:db8:0001:0002:ffff::', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['', ''],
])('addressKey(%j) is %j', (address, key) => {
  expect(addressKey(address)).toBe(key);
});
