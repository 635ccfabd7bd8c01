import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { OperatorError } from '@fenestra/kernel';

const PUBLIC_KEYS = /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g;

/** The Ed25519 public keys in a PEM text; throws `USAGE` if there is none or one of another kind. `name` is for the message. */
export function parseTrustKeys(pem: string, name: string): readonly string[] {
  const keys = pem.match(PUBLIC_KEYS) ?? [];
  if (keys.length === 0) throw noTrustKey(name);
  for (const key of keys) publicKey(key, name);
  return keys;
}

/** An Ed25519 public key in PEM form, ready to verify with. */
export function publicKey(pem: string, name: string): KeyObject {
  try {
    const key = createPublicKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // What the parser of keys says helps nobody.
  }
  throw noTrustKey(name);
}

/** What people compare a key by: the SHA-256 of its DER bytes, in hexadecimal. */
export function keyFingerprint(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

function noTrustKey(name: string): OperatorError {
  return new OperatorError('USAGE', `Cannot trust "${name}": it holds no Ed25519 public key`, {
    hint: 'Give the public key in PEM form, as "openssl pkey -in release-key.pem -pubout" prints it.',
  });
}
