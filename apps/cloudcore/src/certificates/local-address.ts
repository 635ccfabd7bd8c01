import { BlockList, isIPv6 } from 'node:net';

/** Whether an address is reached only from the machine itself: loopback, or link-local as node-local services use it. */
export function isLocalAddress(address: string): boolean {
  const local = new BlockList();
  local.addSubnet('127.0.0.0', 8, 'ipv4');
  local.addSubnet('169.254.0.0', 16, 'ipv4');
  local.addAddress('::1', 'ipv6');
  local.addSubnet('fe80::', 10, 'ipv6');
  return local.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
