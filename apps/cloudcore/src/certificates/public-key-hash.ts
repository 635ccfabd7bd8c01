import { createHash, type X509Certificate } from 'node:crypto';

/** SHA-256 of a public key (SubjectPublicKeyInfo, DER), hex. */
export function hashPublicKey(spki: Uint8Array): string {
  return createHash('sha256').update(spki).digest('hex');
}

/** The hash of a certificate's public key. */
export function publicKeyHash({ publicKey }: X509Certificate): string {
  return hashPublicKey(publicKey.export({ type: 'spki', format: 'der' }));
}
