import { OperatorError } from '@fenestra/kernel';
import type { RemoteTarget } from '@fenestra/platform';
import type { Verdict } from './judge-host-key.ts';
import type { KnownHost } from './known-hosts.ts';
import { fingerprint, keyType, type PublicKey } from './public-key.ts';

/** The error for a key that must not be taken for the machine's, or undefined if it may. */
export function hostKeyError(target: RemoteTarget, key: PublicKey, verdict: Verdict): OperatorError | undefined {
  switch (verdict.kind) {
    case 'known':
      return undefined;
    case 'unknown':
      return unknown(target, key, verdict.authority);
    case 'other-than-pinned':
      return changed(target, key, `the pinned ${target.hostKeys.join(' or ')}`, 'the pin in the batch file');
    case 'changed':
      return changed(target, key, `${fingerprint(verdict.known.key)} (${placeOf(verdict.known)})`, 'that line');
    case 'revoked':
      return revoked(target, key, verdict.known);
  }
}

function unknown(target: RemoteTarget, key: PublicKey, authority: KnownHost | undefined): OperatorError {
  const compare =
    'Compare it with the machine\'s own ("ssh-keygen -lf" on its public key file), then pin it with "hostKey"';
  const hint =
    authority === undefined
      ? `${compare}, or give "--accept-new" once.`
      : `${placeOf(authority)} trusts an authority, which only "transport: system" can check. ${compare} otherwise.`;
  const shown = fingerprint(key);
  return new OperatorError(
    'HOST_KEY_UNKNOWN',
    `Cannot trust ${placeName(target)}: its ${keyType(key)} host key ${shown} is not known`,
    {
      hint,
      details: { host: target.host, port: target.port, fingerprint: shown },
    },
  );
}

function changed(target: RemoteTarget, key: PublicKey, instead: string, where: string): OperatorError {
  const shown = fingerprint(key);
  return new OperatorError(
    'HOST_KEY_CHANGED',
    `Cannot trust ${placeName(target)}: it shows the ${keyType(key)} host key ${shown} instead of ${instead}`,
    {
      hint: `Find out whether the machine was reinstalled or someone intercepts the connection, before you change ${where}.`,
      details: { host: target.host, port: target.port, fingerprint: shown },
    },
  );
}

function revoked(target: RemoteTarget, key: PublicKey, line: KnownHost): OperatorError {
  const shown = fingerprint(key);
  return new OperatorError(
    'HOST_KEY_CHANGED',
    `Cannot trust ${placeName(target)}: its host key ${shown} is revoked (${placeOf(line)})`,
    {
      hint: 'Give the machine a new host key.',
      details: { host: target.host, port: target.port, fingerprint: shown },
    },
  );
}

/** A machine in messages: its name, and its address where that is not the name. */
export function placeName({ name, host, port }: RemoteTarget): string {
  const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  return name === host && port === 22 ? `"${name}"` : `"${name}" (${address})`;
}

function placeOf({ file, line }: KnownHost): string {
  return `${file}:${line}`;
}
