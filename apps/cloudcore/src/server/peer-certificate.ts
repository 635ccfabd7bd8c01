import { X509Certificate } from 'node:crypto';
import { TLSSocket } from 'node:tls';
import type { Authority } from '../certificates/authority.ts';

/** Who is at the other end of a connection, as far as its certificate proves it. */
export type Peer =
  | { readonly certificate: X509Certificate }
  /** Why there is no certificate to believe, in words for the log of the other side. */
  | { readonly certificate?: undefined; readonly problem: string };

const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2';

const PROBLEMS = {
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet: is a clock wrong?',
  INVALID_PURPOSE: 'the certificate is not one for clients',
} as const;

/** The client's certificate if our CA signed it and it is valid now. A resumed TLS session does not make it valid longer. */
export function peerOf(socket: unknown, now: Date): Peer {
  const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
  if (!(socket instanceof TLSSocket) || certificate === undefined) return { problem: 'no certificate was shown' };
  if (!socket.authorized) return { problem: describe(socket.authorizationError) };
  // OpenSSL accepts a client certificate that names no usage at all.
  if (!certificate.keyUsage?.includes(CLIENT_AUTHENTICATION)) return { problem: PROBLEMS.INVALID_PURPOSE };
  if (certificate.validToDate < now) return { problem: 'the certificate has expired' };
  return { certificate };
}

/** The client's certificate if our CA signed it, even if it has expired. It proves which machine this is, and no more. */
export function knownPeerOf(socket: unknown, authority: Authority): X509Certificate | undefined {
  const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
  const isOurs = certificate?.verify(new X509Certificate(authority.certificate).publicKey) === true;
  return isOurs && certificate.keyUsage?.includes(CLIENT_AUTHENTICATION) ? certificate : undefined;
}

function describe(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return (
    Object.entries(PROBLEMS).find(([known]) => known === code)?.[1] ??
    "the certificate was not signed by this cloud's CA"
  );
}
