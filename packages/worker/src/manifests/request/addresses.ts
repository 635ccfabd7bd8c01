import { isIPv4, isIPv6 } from 'node:net';
import { OperatorError } from '@fenestra/kernel';

/** An IPv4 subnet such as `10.96.0.0/12`, whose address is its first one. `option` is where it was given. */
export function requireSubnet(text: string, option: string): string {
  const [address = '', length = '', ...more] = text.split('/');
  const bits = Number(length);
  if (!isIPv4(address) || !/^\d{1,2}$/.test(length) || bits < 1 || bits > 30 || more.length > 0) {
    throw notASubnet(
      text,
      option,
      isIPv6(address) ? 'networks of Windows nodes are IPv4 here' : 'it is not an IPv4 subnet',
    );
  }
  const first = firstAddress(address, bits);
  if (first !== address) throw notASubnet(text, option, `its first address is "${first}"`);
  return text;
}

/** Refuses two subnets of which one holds the other: packets for one would go to the other. */
export function requireApart(podSubnet: string, serviceSubnet: string): void {
  if (!overlaps(podSubnet, serviceSubnet)) return;
  throw new OperatorError(
    'USAGE',
    `Cannot use the pod subnet "${podSubnet}" with the service subnet "${serviceSubnet}"`,
    {
      hint: 'Give the two subnets that the cluster was made with: they do not overlap.',
    },
  );
}

/** `HOST:PORT` of the API server as nodes reach it; an IPv6 address is in brackets. */
export function requireApiServer(text: string): string {
  const url = URL.parse(`https://${text}`);
  const bare = url !== null && url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '';
  // The parser leaves out the port that https has anyway.
  if (bare && /:\d+$/.test(text) && url.hostname !== '' && /^[A-Za-z0-9.:[\]-]+$/.test(text)) return text;
  throw new OperatorError('USAGE', `Cannot use "${text}" as the address of the API server`, {
    hint: 'Give host and port, such as "--api-server 10.0.0.5:6443".',
  });
}

function overlaps(one: string, other: string): boolean {
  const bits = Math.min(lengthOf(one), lengthOf(other));
  return firstAddress(addressOf(one), bits) === firstAddress(addressOf(other), bits);
}

function firstAddress(address: string, bits: number): string {
  const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const size = 2 ** (32 - bits);
  const first = Math.floor(number / size) * size;
  return [24, 16, 8, 0].map((shift) => Math.floor(first / 2 ** shift) % 256).join('.');
}

const addressOf = (subnet: string): string => subnet.split('/')[0] ?? '';
const lengthOf = (subnet: string): number => Number(subnet.split('/')[1]);

function notASubnet(text: string, option: string, reason: string): OperatorError {
  return new OperatorError('USAGE', `Cannot use "${option} ${text}": ${reason}`, {
    hint: `Give one such as "${option} 10.244.0.0/16".`,
  });
}
