import type { KeyObject } from 'node:crypto';
import { OperatorError } from '@fenestra/kernel';

/** A private key in the form certificates are signed with, and the algorithm that goes with it. */
export interface SigningKey {
  readonly key: CryptoKey;
  readonly algorithm: { readonly name: string; readonly hash: string };
}

const CURVES: Readonly<Record<string, { readonly curve: string; readonly hash: string }>> = {
  prime256v1: { curve: 'P-256', hash: 'SHA-256' },
  secp384r1: { curve: 'P-384', hash: 'SHA-384' },
};

/** Prepares a CA's key for signing: P-256 and P-384 keys, and RSA ones an operator may have brought along. */
export async function signingKey(key: KeyObject): Promise<SigningKey> {
  const pkcs8 = key.export({ type: 'pkcs8', format: 'der' });
  const { kind, hash } = algorithmOf(key);
  return {
    key: await crypto.subtle.importKey('pkcs8', pkcs8, { ...kind, hash }, false, ['sign']),
    algorithm: { name: kind.name, hash },
  };
}

function algorithmOf(key: KeyObject): { kind: { name: string; namedCurve?: string }; hash: string } {
  if (key.asymmetricKeyType === 'rsa') return { kind: { name: 'RSASSA-PKCS1-v1_5' }, hash: 'SHA-256' };
  const found = CURVES[key.asymmetricKeyDetails?.namedCurve ?? ''];
  if (found !== undefined) return { kind: { name: 'ECDSA', namedCurve: found.curve }, hash: found.hash };
  throw new OperatorError('CERTIFICATE_INVALID', "Cannot sign with the CA's key: its kind is not known here", {
    hint: 'Use an ECDSA key on P-256 or P-384, or an RSA key.',
    details: { kind: key.asymmetricKeyType ?? 'unknown' },
  });
}
