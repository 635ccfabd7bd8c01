import { X509Certificate } from 'node:crypto';
import { OperatorError } from '@fenestra/kernel';
import {
  type CertificateAndKey,
  newPrivateKey,
  privateKeyBytes,
  publicKeyBytes,
  readPrivateKey,
  signingKey,
  type SigningKey,
  toPem,
} from './key-pair.ts';
import { x509 } from './x509.ts';

/** The cloud's CA, ready to sign. */
export interface Authority {
  /** DER, the bytes the join token's hash is made of. */
  readonly certificate: Buffer;
  readonly pem: string;
  /** The private key's bytes, which are the secret join tokens are signed with. */
  readonly tokenSecret: Uint8Array;
  readonly issuer: x509.X509Certificate;
  readonly signing: SigningKey;
  readonly notAfter: Date;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Upstream's CA lives this long, and has this serial number. */
const CA_DAYS = 364 * 100;
const CA_SERIAL = '0400';

/** Makes a new CA as upstream does. It is valid from a day ago, for machines whose clock is behind. */
export async function newAuthority(now: Date): Promise<CertificateAndKey> {
  const privateKey = newPrivateKey();
  const { key, algorithm } = await signingKey(privateKey);
  const publicKey = new x509.PublicKey(Buffer.from(publicKeyBytes(privateKey)));
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: CA_SERIAL,
    subject: [{ CN: ['KubeEdge'] }],
    issuer: [{ CN: ['KubeEdge'] }],
    notBefore: new Date(now.getTime() - DAY_MS),
    notAfter: new Date(now.getTime() + CA_DAYS * DAY_MS),
    publicKey,
    signingKey: key,
    signingAlgorithm: algorithm,
    extensions: await caExtensions(publicKey),
  });
  return { certificate: Buffer.from(certificate.rawData), key: privateKeyBytes(privateKey) };
}

/** Opens a CA, or throws `CERTIFICATE_INVALID` if certificate and key are not a pair or are not CA's. `origin` names where they are from. */
export async function openAuthority({ certificate, key }: CertificateAndKey, origin: string): Promise<Authority> {
  const parsed = parseCertificate(certificate);
  const privateKey = readPrivateKey(key);
  if (parsed === undefined || privateKey === undefined) throw unusable(origin, 'it cannot be read');
  if (!parsed.ca) throw unusable(origin, 'it is not the certificate of a CA');
  if (!parsed.checkPrivateKey(privateKey)) throw unusable(origin, 'its certificate and key do not belong together');
  return {
    certificate: Buffer.from(certificate),
    pem: toPem('CERTIFICATE', certificate),
    tokenSecret: key,
    issuer: new x509.X509Certificate(Buffer.from(certificate)),
    signing: await signingKey(privateKey),
    notAfter: parsed.validToDate,
  };
}

/** Reads a DER or PEM certificate; undefined if it is none. */
export function parseCertificate(bytes: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(bytes);
  } catch {
    return undefined;
  }
}

async function caExtensions(publicKey: x509.PublicKey): Promise<x509.Extension[]> {
  const { keyCertSign, digitalSignature, keyEncipherment, cRLSign } = x509.KeyUsageFlags;
  return [
    new x509.BasicConstraintsExtension(true, undefined, true),
    new x509.KeyUsagesExtension(keyCertSign | cRLSign | digitalSignature | keyEncipherment, true),
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth, x509.ExtendedKeyUsage.clientAuth]),
    await x509.SubjectKeyIdentifierExtension.create(publicKey, false),
  ];
}

function unusable(origin: string, reason: string): OperatorError {
  return new OperatorError('CERTIFICATE_INVALID', `Cannot use the CA of ${origin}: ${reason}`, {
    hint: 'Restore it from a backup. Only if no node has joined yet, delete it: a new one is made at the next start.',
  });
}
