// oxlint-disable-next-line import/no-unassigned-import -- the certificate library asks for it before it is loaded
import 'reflect-metadata';
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';
import type { KeyPair } from './open-identity.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const YEAR = 365 * 24 * 3600 * 1000;
// A clock that is a little behind must not find a certificate from the future.
const CLOCK_SLACK = 3600 * 1000;

/** Makes a CA for ten years. */
export async function makeCa(commonName: string, now: Date): Promise<KeyPair> {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [commonName] }],
    keys,
    signingAlgorithm: ALGORITHM,
    notBefore: new Date(now.getTime() - CLOCK_SLACK),
    notAfter: new Date(now.getTime() + 10 * YEAR),
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign | x509.KeyUsageFlags.digitalSignature,
        true,
      ),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: certificate.toString('pem'), key: await exportKey(keys.privateKey) };
}

/** What a certificate says about its holder. */
export interface LeafSubject {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly usage: 'client' | 'server';
  readonly alternativeNames: readonly string[];
}

/** Makes a certificate for two years, signed by the CA. */
export async function makeLeaf(ca: KeyPair, subject: LeafSubject, now: Date): Promise<KeyPair> {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const issuer = new x509.X509Certificate(ca.certificate);
  const certificate = await x509.X509CertificateGenerator.create({
    subject: [{ CN: [subject.commonName] }, ...subject.organizations.map((name) => ({ O: [name] }))],
    issuer: issuer.subjectName,
    publicKey: keys.publicKey,
    signingKey: await importKey(ca.key),
    signingAlgorithm: ALGORITHM,
    notBefore: new Date(now.getTime() - CLOCK_SLACK),
    notAfter: new Date(Math.min(now.getTime() + 2 * YEAR, issuer.notAfter.getTime())),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([
        subject.usage === 'server' ? x509.ExtendedKeyUsage.serverAuth : x509.ExtendedKeyUsage.clientAuth,
      ]),
      ...alternativeNames(subject.alternativeNames),
    ],
  });
  return { certificate: certificate.toString('pem'), key: await exportKey(keys.privateKey) };
}

/** A new EC key, PKCS #8 PEM. */
export async function makeKey(): Promise<string> {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  return exportKey(keys.privateKey);
}

/** Whether a certificate holds for another half a year and for all these names. */
export function isGood(certificate: string, names: readonly string[], now: Date): boolean {
  const parsed = new X509Certificate(certificate);
  const fresh = parsed.validToDate.getTime() - now.getTime() > YEAR / 2;
  return fresh && names.every((name) => (isIP(name) === 0 ? parsed.checkHost(name) : parsed.checkIP(name)));
}

function alternativeNames(names: readonly string[]): readonly x509.Extension[] {
  if (names.length === 0) return [];
  const entries = names.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value }));
  return [new x509.SubjectAlternativeNameExtension(entries)];
}

async function exportKey(key: CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}

function importKey(pem: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('pkcs8', x509.PemConverter.decodeFirst(pem), ALGORITHM, false, ['sign']);
}
