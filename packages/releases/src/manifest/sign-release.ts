import { createPrivateKey, sign } from 'node:crypto';
import { OperatorError } from '@fenestra/kernel';

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
