// oxlint-disable-next-line import/no-unassigned-import -- the certificate library needs it loaded first.
import 'reflect-metadata';
import { createPrivateKey, randomBytes } from 'node:crypto';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  X509Certificate,
  X509CertificateGenerator,
  type Extension,
  type JsonName,
  type Pkcs10CertificateRequest,
} from '@peculiar/x509';
import type { KeyPair } from '../identity/open-identity.ts';
import { alternativeNamesOf } from './parse-request.ts';

/** What to put into a certificate besides the request's user, groups, names and key. */
export interface CertificateTerms {
  readonly usages: readonly string[];
  readonly seconds: number;
  readonly now: Date;
}

// Clocks of nodes are not all right.
const CLOCK_SKEW_MS = 5 * 60_000;

/** Signs a request with the CA; the certificate never outlives the CA's own. Returns PEM. */
export async function signRequest(
  request: Pkcs10CertificateRequest,
  terms: CertificateTerms,
  ca: KeyPair,
): Promise<string> {
  const authority = new X509Certificate(ca.certificate);
  const signingKey = await importSigningKey(ca.key);
  const end = Math.min(terms.now.getTime() + terms.seconds * 1000, authority.notAfter.getTime());
  const certificate = await X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: subjectOf(request),
    issuer: authority.subjectName.toJSON(),
    notBefore: new Date(terms.now.getTime() - CLOCK_SKEW_MS),
    notAfter: new Date(end),
    publicKey: request.publicKey,
    signingKey,
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    extensions: await extensionsOf(request, terms, authority),
  });
  return `${certificate.toString('pem')}\n`;
}

/** Only the parts that the signer has judged: a request may name others. */
function subjectOf({ subjectName }: Pkcs10CertificateRequest): JsonName {
  return [{ O: subjectName.getField('O') }, { CN: subjectName.getField('CN').slice(0, 1) }];
}

async function extensionsOf(
  request: Pkcs10CertificateRequest,
  { usages }: CertificateTerms,
  authority: X509Certificate,
): Promise<Extension[]> {
  const names = alternativeNamesOf(request);
  const purpose = usages.includes('server auth') ? ExtendedKeyUsage.serverAuth : ExtendedKeyUsage.clientAuth;
  return [
    new KeyUsagesExtension(keyUsage(usages), true),
    new ExtendedKeyUsageExtension([purpose]),
    new BasicConstraintsExtension(false, undefined, true),
    await AuthorityKeyIdentifierExtension.create(authority.publicKey),
    ...(names ? [names] : []),
  ];
}

function keyUsage(usages: readonly string[]): KeyUsageFlags {
  if (!usages.includes('key encipherment')) return KeyUsageFlags.digitalSignature;
  // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- the library's flags are an enum that is meant to be combined.
  return KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment;
}

async function importSigningKey(pem: string): Promise<CryptoKey> {
  const der = createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' });
  return crypto.subtle.importKey('pkcs8', der, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']);
}

/** Positive, as X.509 demands. */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x01;
  return bytes.toString('hex');
}
