import { createHash } from 'node:crypto';

const FINGERPRINT = 'SHA256:';
const LENGTH_BYTES = 4;

/** A host's public key as it goes over the wire: it begins with its own type. */
export type PublicKey = Buffer;

/** The type of a key, as known_hosts files name it: `ssh-ed25519`. */
export function keyType(key: PublicKey): string {
  if (key.length < LENGTH_BYTES) return '';
  return key.subarray(LENGTH_BYTES, LENGTH_BYTES + key.readUInt32BE(0)).toString('latin1');
}

/** What people compare: `SHA256:…`, as ssh-keygen prints it. */
export function fingerprint(key: PublicKey): string {
  return FINGERPRINT + createHash('sha256').update(key).digest('base64').replaceAll('=', '');
}

/** A pin is a fingerprint, or a whole public key with or without its type and comment. */
export function pinMatches(pin: string, key: PublicKey): boolean {
  const text = pin.trim();
  if (text.startsWith(FINGERPRINT)) return text.replaceAll('=', '') === fingerprint(key);
  return wholeKey(text)?.equals(key) ?? false;
}

/** The key that a pin spells out, or undefined if it is a fingerprint. */
export function wholeKey(pin: string): PublicKey | undefined {
  // Every key begins with the length of its type's name, which is below 64 KiB: in base64 that is always "AAAA".
  const blob = pin.split(/\s+/).find((word) => word.startsWith('AAAA'));
  return blob === undefined ? undefined : Buffer.from(blob, 'base64');
}
