import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  type X509Certificate,
} from 'node:crypto';
import { OperatorError } from '@fenestra/kernel';

/** A certificate and its private key as the secrets hold them: DER, EC keys in SEC1. */
export interface CertificateAndKey {
  readonly certificate: Uint8Array;
  readonly key: Uint8Array;
  /** PEM of the certificate and those between it and its CA, where there are any. */
  readonly chain?: string;
}

/** A new P-256 key, which is what upstream makes everywhere. */
export function newPrivateKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}

/** The key's bytes as upstream keeps them. */
export function privateKeyBytes(key: KeyObject): Buffer {
  return key.export({ type: key.asymmetricKeyType === 'ec' ? 'sec1' : 'pkcs8', format: 'der' });
}

/** Reads a private key whichever of the usual wrappings it has; undefined if it is none. */
export function readPrivateKey(der: Uint8Array): KeyObject | undefined {
  for (const type of ['sec1', 'pkcs8', 'pkcs1'] as const) {
    try {
      return createPrivateKey({ key: Buffer.from(der), format: 'der', type });
    } catch {
      // Not this wrapping.
    }
  }
  return undefined;
}

/** A public key's bytes (SubjectPublicKeyInfo): equal bytes are the same key. */
export function publicKeyBytes(key: KeyObject): Buffer {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return publicKey.export({ type: 'spki', format: 'der' });
}

/** DER as PEM. */
export function toPem(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

/** All certificates of a text, in PEM and in order. */
export function pemCertificates(text: string): string {
  return (text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [])
    .map((pem) => `${pem}\n`)
    .join('');
}

/** The bytes of the first PEM block in a text; undefined if there is none. */
export function fromPem(text: string): Buffer | undefined {
  const block = /-----BEGIN ([^-]+)-----([^-]+)-----END \1-----/.exec(text)?.[2];
  return block === undefined ? undefined : Buffer.from(block, 'base64');
}

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

/** SHA-256 of a public key (SubjectPublicKeyInfo, DER), hex. */
export function hashPublicKey(spki: Uint8Array): string {
  return createHash('sha256').update(spki).digest('hex');
}

/** The hash of a certificate's public key. */
export function publicKeyHash({ publicKey }: X509Certificate): string {
  return hashPublicKey(publicKey.export({ type: 'spki', format: 'der' }));
}
