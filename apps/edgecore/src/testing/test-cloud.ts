import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';
import { decodeMessage, encodeMessage, isKeepalive, type Message } from '@fenestra/contracts';
import type { JsonGeneralNames } from '@peculiar/x509';
import { WebSocketServer, type WebSocket } from 'ws';
import { makeAuthority, type Authority, type Life } from './authority.ts';

/** What a test may decide about its cloud. */
export interface CloudOptions {
  readonly authority?: Authority;
  readonly names?: JsonGeneralNames;
  readonly port?: number;
  /** How long the certificates of nodes are valid. */
  readonly nodeLife?: Life;
  /** How many certificates are made but lost on their way to the node. */
  readonly lostAnswers?: number;
}

/** One node's connection, seen from the cloud. */
export interface NodeSession {
  readonly headers: IncomingHttpHeaders;
  readonly path: string;
  /** Of the node's certificate. */
  readonly serial: string;
  /** Every frame that came, as text. */
  readonly frames: string[];
  /** The messages in them, without keepalives. */
  readonly messages: Message[];
  readonly socket: WebSocket;
  send(message: Message): void;
}

/** A cloud that speaks upstream's protocol to real nodes on loopback: both ports in one. */
export interface TestCloud {
  readonly authority: Authority;
  /** Host and port; the certificate endpoints are on the same. */
  readonly server: string;
  readonly port: number;
  readonly sessions: NodeSession[];
  /** What asked for a certificate, with its headers. */
  readonly requests: IncomingHttpHeaders[];
  /** The public keys certificates were made for. */
  readonly keys: string[];
  stop(): Promise<void>;
}

const HOUR = 3_600_000;
const LOOPBACK: JsonGeneralNames = [{ type: 'ip', value: '127.0.0.1' }];

/** Starts a cloud. It demands a certificate of its CA from anyone who opens a WebSocket. */
export async function startTestCloud(options: CloudOptions = {}): Promise<TestCloud> {
  const authority = options.authority ?? (await makeAuthority());
  const { certificate, key } = await authority.serve(options.names ?? LOOPBACK);
  const requests: IncomingHttpHeaders[] = [];
  const keys: string[] = [];
  const sessions: NodeSession[] = [];
  const lost = options.lostAnswers ?? 0;
  const life = options.nodeLife ?? { fromMs: -HOUR, untilMs: 100 * HOUR };
  const server = createServer({
    ca: authority.pem,
    cert: certificate,
    key,
    requestCert: true,
    rejectUnauthorized: false,
  });
  server.on(
    'request',
    (request, response) => void answer(request, response, { authority, requests, keys, life, lost }),
  );
  const hub = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    if (!(request.socket instanceof TLSSocket) || !request.socket.authorized) socket.destroy();
    else hub.handleUpgrade(request, socket, head, (peer) => sessions.push(session(peer, request)));
  });
  const port = await listen(server, options.port ?? 0);
  return {
    authority,
    server: `127.0.0.1:${port}`,
    port,
    sessions,
    requests,
    keys,
    async stop() {
      for (const peer of hub.clients) peer.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function session(socket: WebSocket, request: IncomingMessage): NodeSession {
  const frames: string[] = [];
  const messages: Message[] = [];
  socket.on('error', () => undefined);
  socket.on('message', (data: Buffer) => {
    frames.push(data.toString());
    const message = decodeMessage(data);
    if (!isKeepalive(message)) messages.push(message);
  });
  const serial = request.socket instanceof TLSSocket ? request.socket.getPeerCertificate().serialNumber : '';
  const send = (message: Message): void => socket.send(encodeMessage(message), { binary: false });
  return { headers: request.headers, path: request.url ?? '', serial, frames, messages, socket, send };
}

interface Endpoints {
  readonly authority: Authority;
  readonly requests: IncomingHttpHeaders[];
  readonly keys: string[];
  readonly life: Life;
  readonly lost: number;
}

async function answer(request: IncomingMessage, response: ServerResponse, endpoints: Endpoints): Promise<void> {
  const { authority, requests, keys, life, lost } = endpoints;
  const body: Buffer[] = [];
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) body.push(chunk);
  if (request.url === '/ca.crt') return void response.end(authority.der);
  requests.push(request.headers);
  const bearer = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
  const byCertificate = request.socket instanceof TLSSocket && request.socket.authorized;
  if (!byCertificate && !authority.accepts(bearer, Date.now()))
    return void response.writeHead(401).end('no token of ours');
  const certificate = await authority.sign(Buffer.concat(body), life);
  keys.push(new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'pem' }).toString());
  if (keys.length <= lost) request.socket.destroy();
  else response.end(certificate);
}
