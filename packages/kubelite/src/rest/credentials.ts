import type { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { PresentedCredentials } from '../objects/gatekeeper.ts';
import { StatusError } from '../objects/status-error.ts';

/** What a request came with. Throws 401 for a certificate that is not of our CA, or out of its time. */
export function credentialsOf(request: IncomingMessage, now: Date): PresentedCredentials {
  const clientCertificate = certificateOf(request, now);
  const bearerToken = tokenOf(request.headers.authorization);
  return { ...(clientCertificate && { clientCertificate }), ...(bearerToken !== undefined && { bearerToken }) };
}

function certificateOf({ socket }: IncomingMessage, now: Date): X509Certificate | undefined {
  const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
  if (!certificate) return;
  // The handshake has checked the chain; a connection may outlive its certificate.
  if (socket instanceof TLSSocket && socket.authorized && certificate.validToDate > now) return certificate;
  throw unauthorized();
}

function tokenOf(authorization: string | undefined): string | undefined {
  const [scheme = '', token = ''] = (authorization ?? '').trim().split(/\s+/, 2);
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined;
}

/** 401: nobody we know. */
export function unauthorized(): StatusError {
  return new StatusError(401, 'Unauthorized', 'Unauthorized');
}
