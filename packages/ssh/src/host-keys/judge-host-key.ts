import { type ErrorCode, OperatorError } from '@fenestra/kernel';
import type { RemoteTarget } from '@fenestra/platform';
import {
  fingerprint,
  hostName,
  keyType,
  type KnownHost,
  linesFor,
  pinMatches,
  type PublicKey,
  wholeKey,
} from './known-hosts.ts';

/** Who a machine should be. */
export interface ExpectedHost {
  readonly host: string;
  readonly port: number;
  /** Where there are pins, the known_hosts lines do not count. */
  readonly pins: readonly string[];
  readonly lines: readonly KnownHost[];
}

/** What to think of the key that a machine shows. */
type Verdict =
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
  // Another type than the known ones counts as changed too: else anyone who stands in between would only have to choose one.
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

/** The error for a key that must not be taken for the machine's, or undefined if it may. */
export function hostKeyError(target: RemoteTarget, key: PublicKey, verdict: Verdict): OperatorError | undefined {
  const shown = fingerprint(key);
  switch (verdict.kind) {
    case 'known':
      return undefined;
    case 'unknown':
      return untrusted(
        target,
        shown,
        `its ${keyType(key)} host key ${shown} is not known`,
        unknownHint(verdict.authority),
        'HOST_KEY_UNKNOWN',
      );
    case 'other-than-pinned':
      return changed(target, key, `the pinned ${target.hostKeys.join(' or ')}`, 'the pin in the batch file');
    case 'changed':
      return changed(target, key, `${fingerprint(verdict.known.key)} (${placeOf(verdict.known)})`, 'that line');
    case 'revoked': {
      const reason = `its host key ${shown} is revoked (${placeOf(verdict.known)})`;
      return untrusted(target, shown, reason, 'Give the machine a new host key.');
    }
  }
}

function unknownHint(authority: KnownHost | undefined): string {
  const compare =
    'Compare it with the machine\'s own ("ssh-keygen -lf" on its public key file), then pin it with "hostKey"';
  if (authority === undefined) return `${compare}, or give "--accept-new" once.`;
  return `${placeOf(authority)} trusts an authority, which only "transport: system" can check. ${compare} otherwise.`;
}

function changed(target: RemoteTarget, key: PublicKey, instead: string, where: string): OperatorError {
  const shown = fingerprint(key);
  const reason = `it shows the ${keyType(key)} host key ${shown} instead of ${instead}`;
  const hint = `Find out whether the machine was reinstalled or someone intercepts the connection, before you change ${where}.`;
  return untrusted(target, shown, reason, hint);
}

function untrusted(
  target: RemoteTarget,
  shown: string,
  reason: string,
  hint: string,
  code: ErrorCode = 'HOST_KEY_CHANGED',
): OperatorError {
  const details = { host: target.host, port: target.port, fingerprint: shown };
  return new OperatorError(code, `Cannot trust ${placeName(target)}: ${reason}`, { hint, details });
}

/** A machine in messages: its name, and its address where that is not the name. */
export function placeName({ name, host, port }: RemoteTarget): string {
  const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  return name === host && port === 22 ? `"${name}"` : `"${name}" (${address})`;
}

function placeOf({ file, line }: KnownHost): string {
  return `${file}:${line}`;
}
