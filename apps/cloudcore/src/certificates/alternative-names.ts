import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

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
