import { isIP, isIPv4 } from 'node:net';

/** Where a cluster's DNS is by kubeadm's habit: the tenth address of its service range. */
const DNS_INDEX = 10n;

/** The address of the cluster's DNS in its range of services, or the first of two ranges; `undefined` if it has none. */
export function dnsAddress(serviceSubnet: string): string | undefined {
  const [range = ''] = serviceSubnet.split(',');
  const [, address = '', prefix = ''] = /^([^/]+)\/(\d{1,3})$/.exec(range.trim()) ?? [];
  if (isIP(address) === 0) return undefined;
  const bits = isIPv4(address) ? 32 : 128;
  const hostBits = BigInt(Math.max(0, bits - Number(prefix)));
  if (DNS_INDEX >= 1n << hostBits) return undefined;
  const first = (numberOf(address) >> hostBits) << hostBits;
  return isIPv4(address) ? ipv4Text(first + DNS_INDEX) : ipv6Text(first + DNS_INDEX);
}

function numberOf(address: string): bigint {
  if (isIPv4(address)) return address.split('.').reduce((sum, part) => (sum << 8n) + BigInt(part), 0n);
  const [head = '', tail] = canonical(address).split('::');
  const [left, right] = [head, tail ?? ''].map((half) => half.split(':').filter((group) => group !== ''));
  const missing = 8 - (left?.length ?? 0) - (right?.length ?? 0);
  const groups = [...(left ?? []), ...Array.from({ length: missing }, () => '0'), ...(right ?? [])];
  return groups.reduce((sum, group) => (sum << 16n) + BigInt(`0x${group}`), 0n);
}

function ipv4Text(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
}

function ipv6Text(value: bigint): string {
  const hex = value.toString(16).padStart(32, '0');
  return canonical((hex.match(/.{4}/g) ?? []).join(':'));
}

/** The one short spelling of an IPv6 address, which an address in a URL has. */
function canonical(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}
