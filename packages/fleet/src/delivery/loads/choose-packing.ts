import { BlockList, isIP, isIPv6 } from 'node:net';
import type { RemoteTarget } from '@fenestra/platform';
import type { Findings } from '../far-system.ts';
import type { RemoteWorkerOptions } from '../worker-options.ts';
import { PACKINGS, type Packing } from './load.ts';

/**
 * How an executable is packed for its way to a machine, by what that one can unpack; `undefined` if it travels as it is.
 * Packing is done once, and a network is shared by all nodes; only where none is in between is it a waste.
 */
export function choosePacking(
  compress: RemoteWorkerOptions['compress'],
  target: Pick<RemoteTarget, 'host' | 'jumps'>,
  { tools = '', ownAddress = '' }: Findings['notes'],
): Packing | undefined {
  if (compress === 'never' || (compress === 'auto' && isThisMachine(target, ownAddress))) return undefined;
  const there = tools.split(' ');
  return PACKINGS.find((packing) => there.includes(packing));
}

/** Only if both see the other at a loopback address: one end alone is that of a tunnel. */
function isThisMachine({ host, jumps }: Pick<RemoteTarget, 'host' | 'jumps'>, ownAddress: string): boolean {
  return jumps.length === 0 && (host === 'localhost' || isLoopback(host)) && isLoopback(ownAddress);
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && LOOPBACK.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
