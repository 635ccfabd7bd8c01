import { isIPv6 } from 'node:net';
import * as z from 'zod/mini';
import { durationMilliseconds } from '@fenestra/contracts';

/** A text that says something; where it may be left out, an empty one means the same. */
export const text = z.string();

/** A span of time that is not negative, such as `30s`. */
export const span = z
  .string()
  .check(z.regex(/^((\d+(\.\d+)?)(ms|s|m|h))+$|^0$/, 'must be a span of time such as "30s", "5m" or "1h30m"'));

/** The seconds of a span that the schema has accepted. */
export function spanSeconds(written: string): number {
  return durationMilliseconds(written) / 1000;
}

/** So many nodes, or a share of them: `20` or `"10%"`. */
export const nodeCount = z.union([
  z.int().check(z.minimum(1)),
  z
    .string()
    .check(z.regex(/^(100|[1-9]?\d(\.\d+)?)%$|^[1-9]\d{0,5}$/, 'must be a number of nodes or a share such as "10%"')),
]);

/** A size in bytes: `1048576`, `"64MiB"`. */
export const byteCount = z.union([
  z.int().check(z.minimum(1)),
  z.string().check(z.regex(/^[1-9]\d{0,8} ?([KMG]i?B?|B)?$/, 'must be a size such as 1048576, "64MiB" or "1GiB"')),
]);

const UNITS: Readonly<Record<string, number>> = { '': 1, K: 1000, Ki: 1024, M: 1e6, Mi: 2 ** 20, G: 1e9, Gi: 2 ** 30 };

/** The bytes of a size that the schema has accepted. */
export function bytesOf(size: number | string): number {
  const [, amount = '0', unit = ''] = /^(\d+) ?([KMG]?i?)B?$/.exec(String(size)) ?? [];
  return Number(amount) * (UNITS[unit] ?? 1);
}

/** A whole number of at least one. */
export const atLeastOne = z.int().check(z.minimum(1), z.maximum(100_000));

/** A host's name or address; an IPv6 address may stand in brackets. */
export const address = z
  .string()
  .check(
    z.refine(
      (written) => written === '' || HOST_NAME.test(written) || isIPv6(plainAddress(written)),
      'must be a name or an address such as "192.0.2.7", "2001:db8::7" or "shop-7.example"; the port has a separate key',
    ),
  );

const HOST_NAME = /^[A-Za-z0-9]([\w.-]*\w)?\.?$/;

/** The address as a socket takes it: without brackets. */
export function plainAddress(written: string): string {
  return /^\[(.*)\]$/.exec(written)?.[1] ?? written;
}

/** A name that people and files can carry: the name of a node in a batch, of a group, of a wave. */
export const plainName = z
  .string()
  .check(
    z.regex(
      /^$|^[A-Za-z0-9]([\w.-]{0,251}[A-Za-z0-9])?$/,
      'must be a name of letters, digits, "-", "_" and ".", with a letter or digit at both ends',
    ),
  );

/** One of something, or a list of them. */
export function oneOrMore<Element extends z.ZodMiniType>(
  element: Element,
): z.ZodMiniUnion<readonly [Element, z.ZodMiniArray<Element>]> {
  return z.union([element, z.array(element)]);
}
