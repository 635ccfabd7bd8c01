import { networkInterfaces } from 'node:os';

/** The first address others reach this machine at, which is what upstream advertises; loopback if there is no other. */
export function ownAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const [first] = all.filter(({ internal, family }) => !internal && family === 'IPv4');
  return [first?.address ?? '127.0.0.1'];
}
