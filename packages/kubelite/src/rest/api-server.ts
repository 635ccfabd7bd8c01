import { createServer, type Server } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError, systemCodeOf } from '@fenestra/kernel';
import { limitConnections, limitPending, PENDING, requestsInTurn } from '@fenestra/platform';
import type { Identity } from '../identity/open-identity.ts';
import type { User } from '../objects/gatekeeper.ts';
import type { Api } from './exchange.ts';
import { handleRequest, type Wire } from './handle-request.ts';

/** A listening server. */
export interface ApiServer {
  readonly url: string;
  /** Lets requests finish for a moment, then ends every connection. */
  close(): Promise<void>;
}

const IDLE_MILLISECONDS = 180_000;
const PROBE_MILLISECONDS = 30_000;
const CLOSING_MILLISECONDS = 2000;
/** A kubelet has a connection for each ConfigMap and Secret that it watches. */
const USER_CONNECTIONS = { perKey: 1024, total: Infinity };

/** Listens for HTTPS. Clients may show a certificate of our CA; the gatekeeper decides what to think of those who do not. */
export async function startApiServer(
  api: Api,
  identity: Identity,
  listen: { readonly address: string; readonly port: number },
): Promise<ApiServer> {
  const active = new Set<AbortController>();
  const { serving, ca } = identity;
  const server = createServer(
    {
      cert: serving.certificate,
      key: serving.key,
      ca: ca.certificate,
      requestCert: true,
      rejectUnauthorized: false,
      minVersion: 'TLSv1.2',
      keepAliveTimeout: IDLE_MILLISECONDS,
      // A long-lived watch whose client has vanished is found out by the system.
      keepAlive: true,
      keepAliveInitialDelay: PROBE_MILLISECONDS,
    },
    requestsInTurn((request, response) => {
      const onUser = (user: User): void => known(request, user);
      void serve(api, { request, response, onUser }, active);
    }),
  );
  const pending = limitPending(server, PENDING);
  const users = limitConnections(USER_CONNECTIONS);
  const known = ({ socket }: IncomingMessage, { name }: User): void => {
    pending.proved(socket);
    users.add(name, socket);
  };
  await listening(server, listen);
  return { url: urlOf(server, listen.address), close: () => closeServer(server, active) };
}

async function serve(api: Api, wire: Omit<Wire, 'signal'>, active: Set<AbortController>): Promise<void> {
  const { response } = wire;
  const gone = new AbortController();
  active.add(gone);
  response.once('close', () => gone.abort());
  response.on('error', () => gone.abort());
  await handleRequest(api, { ...wire, signal: gone.signal });
  active.delete(gone);
}

async function listening(server: Server, { address, port }: { address: string; port: number }): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, address, resolve);
  try {
    await promise;
  } catch (cause) {
    const hint = 'Choose another port, or stop the program that listens on this one.';
    const message = `Cannot listen on "${address}:${port}" (${systemCodeOf(cause)})`;
    throw new OperatorError('SYSTEM_CALL_FAILED', message, { hint, cause });
  }
}

function urlOf(server: Server, address: string): string {
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  const host = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address;
  return `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

async function closeServer(server: Server, active: ReadonlySet<AbortController>): Promise<void> {
  const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
  for (const request of active) request.abort();
  server.closeIdleConnections();
  await Promise.race([closed, delay(CLOSING_MILLISECONDS, undefined, { ref: false })]);
  server.closeAllConnections();
  await closed;
}
