import { randomBytes, type X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { KeyUsage } from '@fenestra/contracts';
import type { Authority } from './authority.ts';
import { x509 } from './x509.ts';

/** The addresses and names a server's certificate is good for. */
export interface AlternativeNames {
  readonly ips: readonly string[];
  readonly dns: readonly string[];
}

/** Sorts addresses from names, drops empty ones and doubles. */
export function alternativeNames(given: readonly string[]): AlternativeNames {
  const names = [...new Set(given.map((name) => name.trim()).filter((name) => name !== ''))];
  return { ips: names.filter((name) => isIP(name) !== 0), dns: names.filter((name) => isIP(name) === 0) };
}

/** The names a certificate carries. */
export function namesOf(certificate: X509Certificate): AlternativeNames {
  const entries = (certificate.subjectAltName ?? '').split(', ');
  const valuesOf = (prefix: string): string[] =>
    entries.filter((entry) => entry.startsWith(prefix)).map((entry) => entry.slice(prefix.length));
  return { ips: valuesOf('IP Address:'), dns: valuesOf('DNS:') };
}

/** Whether a certificate is good for all of these. */
export function covers(certificate: X509Certificate, { ips, dns }: AlternativeNames): boolean {
  return (
    ips.every((ip) => certificate.checkIP(ip) !== undefined) &&
    dns.every((name) => certificate.checkHost(name, { subject: 'never' }) !== undefined)
  );
}

/** Whether one name or address is among these, or is what a certificate is good for. Loopback is everybody's own. */
export function isOneOf(name: string, names: readonly string[], certificate: X509Certificate): boolean {
  if (name.toLowerCase() === 'localhost' || /^(127\.|::1$)/.test(name)) return false;
  const { ips, dns } = alternativeNames([name]);
  const listed = names.some((own) => own.trim().toLowerCase() === name.toLowerCase());
  return listed || covers(certificate, { ips, dns });
}

/** Both together. */
export function joinNames(left: AlternativeNames, right: AlternativeNames): AlternativeNames {
  return alternativeNames([...left.ips, ...left.dns, ...right.ips, ...right.dns]);
}

/** What a certificate shall say. */
interface CertificateWish {
  readonly subject: x509.Name;
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array;
  readonly usages: readonly KeyUsage[];
  readonly names: AlternativeNames;
  readonly days: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Machines whose clock is behind by less find a new certificate valid. */
const CLOCK_TOLERANCE_MS = 60 * 60 * 1000;
const SERIAL_BYTES = 16;

/** Signs a certificate; returns DER. It begins an hour ago and never outlives the CA. */
export async function signCertificate(authority: Authority, wish: CertificateWish, now: Date): Promise<Buffer> {
  const { issuer, signing, notAfter } = authority;
  const wantedEnd = now.getTime() + wish.days * DAY_MS;
  const publicKey = new x509.PublicKey(Buffer.from(wish.publicKey));
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: newSerial(),
    subject: wish.subject,
    issuer: issuer.subjectName,
    notBefore: new Date(now.getTime() - CLOCK_TOLERANCE_MS),
    notAfter: new Date(Math.min(wantedEnd, notAfter.getTime())),
    publicKey,
    signingKey: signing.key,
    signingAlgorithm: signing.algorithm,
    extensions: await extensions(issuer, publicKey, wish),
  });
  return Buffer.from(certificate.rawData);
}

/** When a certificate of `signCertificate` was issued, to the second. */
export function issuedAt({ validFromDate }: Pick<X509Certificate, 'validFromDate'>): Date {
  return new Date(validFromDate.getTime() + CLOCK_TOLERANCE_MS);
}

/** A random positive number that is never the CA's own small one. */
function newSerial(): string {
  const bytes = randomBytes(SERIAL_BYTES);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.toString('hex');
}

async function extensions(
  issuer: x509.X509Certificate,
  publicKey: x509.PublicKey,
  { usages, names }: CertificateWish,
): Promise<x509.Extension[]> {
  const { digitalSignature, keyEncipherment } = x509.KeyUsageFlags;
  const alternatives = [
    ...names.ips.map((value) => ({ type: 'ip', value }) as const),
    ...names.dns.map((value) => ({ type: 'dns', value }) as const),
  ];
  return [
    new x509.BasicConstraintsExtension(false, undefined, true),
    new x509.KeyUsagesExtension(digitalSignature | keyEncipherment, true),
    new x509.ExtendedKeyUsageExtension(usages.map((usage) => x509.ExtendedKeyUsage[usage])),
    ...authorityKeyIdentifier(issuer),
    await x509.SubjectKeyIdentifierExtension.create(publicKey, false),
    ...(alternatives.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension(alternatives)]),
  ];
}

/** Repeats the CA's own identifier, however it was computed: verifiers compare the two. */
function authorityKeyIdentifier(issuer: x509.X509Certificate): x509.Extension[] {
  const identifier = issuer.getExtension(x509.SubjectKeyIdentifierExtension);
  return identifier === null ? [] : [new x509.AuthorityKeyIdentifierExtension(identifier.keyId)];
}
