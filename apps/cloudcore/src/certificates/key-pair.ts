import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';

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
