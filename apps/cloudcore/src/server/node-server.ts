import { STATUS_CODES, type IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { MAX_NODE_MESSAGE_BYTES } from '@fenestra/contracts';
import { addressKey, limitPending, type Logger, PENDING, type PendingLimits } from '@fenestra/platform';
import { WebSocketServer } from 'ws';
import type { ServerCertificate } from '../certificates/server-certificate.ts';
import type { Hub } from '../hub/hub.ts';
import type { AdmittedNode } from '../hub/session.ts';
import { admit, peerOf } from './admission.ts';
import { attemptLimit, type AttemptLimit } from './attempt-limit.ts';
import { renew, tlsOptions, type SecureServer } from './certificate-server.ts';
import { listen } from './listen.ts';

/** Where and how the hub listens for nodes. */
export interface NodeServerOptions {
  readonly address: string;
  readonly port: number;
  readonly certificate: ServerCertificate;
  readonly hub: Hub;
  readonly projects: readonly string[];
  /** Read at every connection, so that a reload can change it. */
  readonly nodeLimit: () => number;
  readonly now: () => Date;
  readonly isRevoked: (node: string, keyHash: string) => boolean;
  readonly log: Logger;
  readonly pending?: PendingLimits;
}

const TIMEOUTS = { requestTimeout: 30_000, headersTimeout: 15_000, connectionsCheckingInterval: 5_000 };
const REFUSAL_TIME_MS = 5_000;
/** Refusals of one address that are logged: those of a node that retries every few seconds, but not of a flood. */
const LOGGED_REFUSALS = { burst: 20, perMinute: 6, keys: 10_000, now: () => performance.now() };

/**
 * Compression costs memory per connection, and the hub has its own list of clients. Each connection hands over one message
 * per turn of the event loop, so that many nodes that send much at once do not delay anyone else.
 */
const WEB_SOCKETS = {
  noServer: true,
  perMessageDeflate: false,
  clientTracking: false,
  allowSynchronousEvents: false,
  maxPayload: MAX_NODE_MESSAGE_BYTES,
  maxFragments: 4_096,
};

/** Listens for nodes (10000) and hands those it lets in to the hub. Anyone who is refused is given the reason. */
export async function startNodeServer(options: NodeServerOptions): Promise<SecureServer> {
  const { address, port, certificate, hub, log, pending: limits = PENDING } = options;
  const webSockets = new WebSocketServer(WEB_SOCKETS);
  const server = createServer({ ...tlsOptions(certificate), ...TIMEOUTS }, (_request, response) => {
    response
      .writeHead(426, { Connection: 'close', 'Content-Type': 'text/plain' })
      .end('Nodes connect here by WebSocket');
  });
  const pending = limitPending(server, limits);
  const logged = attemptLimit(LOGGED_REFUSALS);
  // Nodes, their replaced connections and pending ones. Set again and again because a reload may change the limit.
  server.on('connection', () => (server.maxConnections = 2 * options.nodeLimit() + limits.total));
  server.on('tlsClientError', (error) => log.debug('A TLS connection failed', { error: error.message }));
  server.on('upgrade', (request, socket, head) => {
    const node = admitted(options, request, socket, logged);
    if (node === undefined) return;
    pending.proved(request.socket);
    webSockets.handleUpgrade(request, socket, head, (webSocket) => hub.accept(node, webSocket));
  });
  const listening = await listen(server, address, port);
  return { ...listening, renew: (renewed) => renew(server, renewed) };
}

function admitted(
  options: NodeServerOptions,
  request: IncomingMessage,
  socket: Duplex,
  logged: AttemptLimit,
): AdmittedNode | undefined {
  const { hub, projects, nodeLimit, now, isRevoked, log } = options;
  const verdict = admit({
    headers: request.headers,
    peer: peerOf(request.socket, now()),
    now: now(),
    isRevoked,
    projects,
    isConnected: (node) => hub.sessions.isConnected(node),
    connected: hub.connected(),
    nodeLimit: nodeLimit(),
  });
  if ('node' in verdict) return verdict;
  hub.counts.refusals += 1;
  const address = request.socket.remoteAddress ?? '';
  const key = addressKey(address);
  if (!logged.isExceeded(key)) {
    logged.count(key);
    log.warn('Refused a connection', { address, reason: verdict.reason });
  }
  refuse(socket, verdict.status, verdict.reason);
  return undefined;
}

/** Answers before the connection becomes a WebSocket: upstream's agent writes the text into its log. */
function refuse(socket: Duplex, status: number, reason: string): void {
  const body = Buffer.from(`Refused: ${reason}\n`);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}`,
    'Connection: close',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${body.length}`,
    ...(status === 503 ? ['Retry-After: 60'] : []),
  ];
  socket.on('error', () => socket.destroy());
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]));
  setTimeout(() => socket.destroy(), REFUSAL_TIME_MS).unref();
}
