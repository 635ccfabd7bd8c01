import type { Validity } from './node-identity.ts';

/** When to ask for the next certificate: after 70 to 90 % of the life of this one, differently on every node. */
export function renewalTime({ from, until }: Validity, random: () => number): Date {
  const life = until.getTime() - from.getTime();
  return new Date(from.getTime() + life * (0.7 + 0.2 * random()));
}
