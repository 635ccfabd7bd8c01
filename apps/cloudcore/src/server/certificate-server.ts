import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { limitPending, type Logger, PENDING, requestsInTurn } from '@fenestra/platform';
import type { ServerCertificate } from '../certificates/server-certificate.ts';
import { answerCertificateRequest, type CertificateEndpoints } from './certificate-endpoints.ts';
import { listen, type Listening } from './listen.ts';

/** Where and how the certificate server listens. */
export interface CertificateServerOptions {
  readonly address: string;
  readonly port: number;
  readonly certificate: ServerCertificate;
  readonly endpoints: CertificateEndpoints;
  readonly log: Logger;
}

/** A server whose certificate can be replaced while it runs. */
export interface SecureServer extends Listening {
  renew(certificate: ServerCertificate): void;
}

const TIMEOUTS = {
  requestTimeout: 30_000,
  headersTimeout: 10_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 5_000,
};

/** Listens where nodes get the CA and their certificates (10002). A certificate of theirs is asked for, not demanded. */
export async function startCertificateServer(options: CertificateServerOptions): Promise<SecureServer> {
  const { address, port, certificate, endpoints, log } = options;
  const server = createServer(
    { ...tlsOptions(certificate), ...TIMEOUTS },
    requestsInTurn((request, response) => void respond(request, response, endpoints, log)),
  );
  limitPending(server, PENDING);
  const listening = await listen(server, address, port);
  return { ...listening, renew: (renewed) => renew(server, renewed) };
}

/** The TLS settings of both servers. Verification is ours to judge, so that a refusal can say why. */
export function tlsOptions({ cert, key, ca }: ServerCertificate) {
  return {
    cert,
    key,
    ca,
    requestCert: true,
    rejectUnauthorized: false,
    minVersion: 'TLSv1.2',
    handshakeTimeout: 15_000,
  } as const;
}

/** Connections that are open keep their certificate, new ones get this. */
export function renew(server: Server, { cert, key, ca }: ServerCertificate): void {
  server.setSecureContext({ cert, key, ca, minVersion: 'TLSv1.2' });
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  endpoints: CertificateEndpoints,
  log: Logger,
): Promise<void> {
  try {
    const { status, body, headers } = await answerCertificateRequest(request, endpoints);
    const extra = status >= 400 ? { Connection: 'close' } : {};
    response.writeHead(status, { 'Content-Length': body.length, ...headers, ...extra }).end(body);
  } catch (error) {
    // A query may hold what someone took for the right place of a token.
    const [path = ''] = (request.url ?? '').split('?', 1);
    log.error('Cannot answer a request', { path, error: String(error) });
    response.destroy();
  }
}
