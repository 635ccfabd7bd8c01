import { hostName } from './host-pattern.ts';
import { type KnownHost, linesFor } from './known-hosts.ts';
import { keyType, pinMatches, type PublicKey, wholeKey } from './public-key.ts';

/** Who a machine should be. */
export interface ExpectedHost {
  readonly host: string;
  readonly port: number;
  /** Where there are pins, the known_hosts lines do not count. */
  readonly pins: readonly string[];
  readonly lines: readonly KnownHost[];
}

/** What to think of the key that a machine shows. */
export type Verdict =
  | { readonly kind: 'known' }
  | { readonly kind: 'unknown'; readonly authority: KnownHost | undefined }
  | { readonly kind: 'other-than-pinned' }
  | { readonly kind: 'changed'; readonly known: KnownHost }
  | { readonly kind: 'revoked'; readonly known: KnownHost };

/** Compares a key with what is known about the machine. */
export function judgeHostKey(key: PublicKey, expected: ExpectedHost): Verdict {
  const revoked = expected.lines.find((line) => line.marker === 'revoked' && speaksOf(line, expected, key));
  if (revoked !== undefined) return { kind: 'revoked', known: revoked };
  if (expected.pins.length > 0)
    return expected.pins.some((pin) => pinMatches(pin, key)) ? { kind: 'known' } : { kind: 'other-than-pinned' };
  return judgeByLines(key, expected);
}

/** The types of the keys that are known for a machine: it has to be asked for one of these. */
export function knownTypes(expected: ExpectedHost): readonly string[] {
  const pinned = expected.pins.flatMap((pin) => wholeKey(pin) ?? []);
  const keys = expected.pins.length > 0 ? pinned : plainLines(expected).map(({ key }) => key);
  return [...new Set(keys.map(keyType))];
}

function judgeByLines(key: PublicKey, expected: ExpectedHost): Verdict {
  const lines = plainLines(expected);
  if (lines.some((line) => line.key.equals(key))) return { kind: 'known' };
  // Another type than the known ones counts as changed too: else whoever stands in between would only have to choose one.
  const [known] = lines.toSorted((one, other) => sameType(other, key) - sameType(one, key));
  if (known !== undefined) return { kind: 'changed', known };
  // A line without the port serves as well, if it is the very key; it says nothing about other keys at this port.
  const anyPort = linesFor([expected.host.toLowerCase()], expected.lines).filter(({ marker }) => marker === undefined);
  if (anyPort.some((line) => line.key.equals(key))) return { kind: 'known' };
  return { kind: 'unknown', authority: named(expected).find(({ marker }) => marker === 'cert-authority') };
}

function plainLines(expected: ExpectedHost): readonly KnownHost[] {
  return named(expected).filter(({ marker }) => marker === undefined);
}

function named({ host, port, lines }: ExpectedHost): readonly KnownHost[] {
  return linesFor([hostName(host, port)], lines);
}

function speaksOf(line: KnownHost, { host, port }: ExpectedHost, key: PublicKey): boolean {
  return line.key.equals(key) && linesFor([hostName(host, port), host.toLowerCase()], [line]).length > 0;
}

function sameType(line: KnownHost, key: PublicKey): number {
  return keyType(line.key) === keyType(key) ? 1 : 0;
}
