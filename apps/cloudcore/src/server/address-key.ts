import { isIPv6 } from 'node:net';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const NETWORK_GROUPS = 4;

/** What limits per address count by: an IPv4 address, or the /64 network of an IPv6 one, which one host may own whole. */
export function addressKey(address: string): string {
  const mapped = MAPPED.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = (address.split('%', 1)[0] ?? '').split('::');
  const [first, last] = [groupsOf(head), groupsOf(tail ?? '')];
  const missing = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  const groups = [...first, ...Array.from({ length: missing }, () => '0'), ...last];
  return `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

function groupsOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16).toString(16));
}
