import { createHash, createPublicKey, type KeyObject, createPrivateKey, sign } from 'node:crypto';
import { OperatorError } from '@fenestra/kernel';
import { readText } from '@fenestra/platform';

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
    // What the parser of keys says helps no one.
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
  return new OperatorError('USAGE', `Cannot trust "${name}": it does not contain an Ed25519 public key`, {
    hint: 'Give the public key in PEM form, as "openssl pkey -in release-key.pem -pubout" prints it.',
  });
}

/** The keys in a file that the operator trusts, for `AgentRequest.trustKeys`. */
export async function readTrustKeys(path: string): Promise<readonly string[]> {
  return parseTrustKeys(await readText(path), path);
}

/** The content of `release.json.sig` for these bytes, made with an Ed25519 private key in PEM form. */
export function signRelease(bytes: Uint8Array, privateKey: string): string {
  return `${sign(null, bytes, signingKey(privateKey)).toString('base64')}\n`;
}

function signingKey(pem: string): ReturnType<typeof createPrivateKey> {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // The cause could quote the key.
  }
  throw new OperatorError('USAGE', 'Cannot sign the release: this is not an Ed25519 private key', {
    hint: 'Make one with "openssl genpkey -algorithm ed25519 -out release-key.pem".',
  });
}
