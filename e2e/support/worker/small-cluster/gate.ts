import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request as ask } from 'node:https';
import { once } from 'node:events';
import type { TLSSocket } from 'node:tls';
import type { JsonObject } from '@fenestra/kube-api';

interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** What stands behind the gate. */
export interface GateOptions {
  readonly identity: { readonly ca: KeyPair; readonly serving: KeyPair; readonly admin: KeyPair };
  /** `https://127.0.0.1:PORT` of the API that has the objects. */
  readonly upstream: string;
  /** What unknown clients get. */
  clusterInfo(): Promise<JsonObject>;
  isToken(token: string): boolean;
  /** Called with the name of every request for a certificate. */
  onRequest(name: string): Promise<void>;
}

/** The door by which nodes come in. */
export interface Gate {
  /** `127.0.0.1:PORT`. */
  readonly endpoint: string;
  close(): Promise<void>;
}

const CLUSTER_INFO = '/api/v1/namespaces/kube-public/configmaps/cluster-info';
const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
/** What the holder of a token may do, as kubeadm's roles have it. */
const FOR_TOKENS: readonly (readonly [string, RegExp])[] = [
  ['GET', /^\/version$/],
  ['GET', /^\/api\/v1\/nodes\/[^/?]+$/],
  ['GET', /^\/api\/v1\/namespaces\/kube-system\/configmaps\/(kubeadm-config|kubelet-config)$/],
  ['POST', new RegExp(`^${REQUESTS}$`)],
  ['GET', new RegExp(`^${REQUESTS}(/[^/]+)?$`)],
];

/** Opens it on a free port of the loopback. */
export async function openGate(options: GateOptions): Promise<Gate> {
  const { ca, serving } = options.identity;
  const server = createServer(
    { cert: serving.certificate, key: serving.key, ca: ca.certificate, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      admit(request, response, options).catch((cause: unknown) => refuse(response, 500, String(cause)));
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    endpoint: `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function admit(request: IncomingMessage, response: ServerResponse, options: GateOptions): Promise<void> {
  const path = new URL(request.url ?? '', 'https://gate').pathname;
  if (path === CLUSTER_INFO && !hasCredentials(request)) return answer(response, 200, await options.clusterInfo());
  const allowed = isNode(request) || (isTokenHolder(request, options) && mayTokensDo(request, path));
  if (!allowed) return refuse(response, hasCredentials(request) ? 403 : 401, 'Not allowed');
  await passOn(request, response, options);
}

function hasCredentials(request: IncomingMessage): boolean {
  return request.headers.authorization !== undefined || isNode(request);
}

function isNode({ socket }: IncomingMessage): boolean {
  return isTls(socket) && socket.authorized;
}

function isTls(socket: unknown): socket is TLSSocket {
  return typeof socket === 'object' && socket !== null && 'authorized' in socket;
}

function isTokenHolder({ headers }: IncomingMessage, options: GateOptions): boolean {
  return options.isToken(/^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '');
}

function mayTokensDo({ method }: IncomingMessage, path: string): boolean {
  return FOR_TOKENS.some(([verb, pattern]) => verb === method && pattern.test(path));
}

/** The API behind knows its administrator only; who may do what has been judged. */
async function passOn(request: IncomingMessage, response: ServerResponse, options: GateOptions): Promise<void> {
  const { ca, admin } = options.identity;
  const { authorization: _, host: __, ...headers } = request.headers;
  const onward = ask(new URL(request.url ?? '', options.upstream), {
    method: request.method,
    headers,
    ca: ca.certificate,
    cert: admin.certificate,
    key: admin.key,
    agent: false,
  });
  request.pipe(onward);
  response.on('close', () => onward.destroy());
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  onward.on('response', resolve).on('error', reject);
  const reply = await promise;
  response.writeHead(reply.statusCode ?? 502, reply.headers);
  if (request.method === 'POST' && request.url?.startsWith(REQUESTS) === true)
    return remember(reply, response, options);
  reply.on('error', () => response.destroy()).pipe(response);
}

async function remember(reply: IncomingMessage, response: ServerResponse, options: GateOptions): Promise<void> {
  const body = Buffer.concat(await reply.toArray()).toString();
  response.end(body);
  const name = /"name":"([^"]+)"/.exec(body)?.[1];
  if (reply.statusCode === 201 && name !== undefined) await options.onRequest(name);
}

function refuse(response: ServerResponse, code: number, message: string): void {
  if (response.headersSent) return void response.destroy();
  const reason = code === 403 ? 'Forbidden' : code === 401 ? 'Unauthorized' : 'InternalError';
  answer(response, code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, reason, code });
}

function answer(response: ServerResponse, code: number, body: JsonObject): void {
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
