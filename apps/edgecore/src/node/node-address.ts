import { createSocket } from 'node:dgram';
import { BlockList, isIPv6 } from 'node:net';
import type { NetworkInterfaceInfo } from 'node:os';

/** An address of this machine that others can use. */
export interface InterfaceAddress {
  readonly interfaceName: string;
  readonly address: string;
  readonly family: 'IPv4' | 'IPv6';
}

/** What there is to choose from. Texts that are empty say nothing. */
export interface AddressChoice {
  readonly address: string;
  readonly interfaceName: string;
  readonly interfaces: readonly InterfaceAddress[];
  /** The address from which the cloud is reached, if that could be found out. */
  readonly routed: string | undefined;
}

const LOOPBACK_ADDRESS = '127.0.0.1';
const DNS_PATIENCE_MS = 2_000;

/** The node's address: of the interface that was named, the one that was named, the way to the cloud, or any. */
export function chooseAddress({ address, interfaceName, interfaces, routed }: AddressChoice): string {
  const named = interfaces.filter((candidate) => candidate.interfaceName === interfaceName);
  if (named.length > 0) return firstOf(named);
  const [wanted] = address.split(',');
  if (wanted !== undefined && wanted !== '') return wanted;
  // A cloud on the same machine is reached from an address that no one else can use.
  if (routed !== undefined && !isLoopback(routed)) return routed;
  return interfaces.length > 0 ? firstOf(interfaces) : LOOPBACK_ADDRESS;
}

/** The addresses of the interfaces, without those that only this machine or this link can use. */
export function interfaceAddresses(
  interfaces: NodeJS.Dict<readonly NetworkInterfaceInfo[]>,
): readonly InterfaceAddress[] {
  return Object.entries(interfaces).flatMap(([interfaceName, addresses = []]) =>
    addresses
      .filter(({ internal, address }) => !internal && !address.toLowerCase().startsWith('fe80:'))
      .map(({ address, family }) => ({ interfaceName, address, family })),
  );
}

/** The address of this machine from which a `host:port` is reached. Nothing is sent: connecting UDP only looks up the way. */
export async function routedAddress(server: string, signal: AbortSignal): Promise<string | undefined> {
  const colon = server.lastIndexOf(':');
  const host = server.slice(0, colon).replace(/^\[(.*)\]$/, '$1');
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const give = (): void => resolve(undefined);
  const timer = setTimeout(give, DNS_PATIENCE_MS);
  signal.addEventListener('abort', give, { once: true });
  try {
    socket.on('error', give);
    socket.on('connect', () => resolve(socket.address().address));
    socket.connect(Number(server.slice(colon + 1)), host);
    return await promise;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', give);
    socket.close();
  }
}

function firstOf(addresses: readonly InterfaceAddress[]): string {
  const best = addresses.find(({ family }) => family === 'IPv4') ?? addresses[0];
  return best?.address ?? LOOPBACK_ADDRESS;
}

function isLoopback(address: string): boolean {
  const loopback = new BlockList();
  loopback.addSubnet('127.0.0.0', 8);
  loopback.addAddress('::1', 'ipv6');
  return loopback.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
