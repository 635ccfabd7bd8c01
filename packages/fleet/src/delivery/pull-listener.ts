// oxlint-disable-next-line import/no-unassigned-import -- the certificate library asks for it before it is loaded
import 'reflect-metadata';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { limitPending, PENDING } from '@fenestra/platform';
import * as x509 from '@peculiar/x509';
import type { Load } from './loads.ts';
import { counted, fileBlocks } from './parcel.ts';
import { writeThrough } from './remote-command.ts';
import type { RemoteWorkerOptions } from './worker-options.ts';

const TOKEN_BYTES = 24;
const KEY_ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

interface Permission {
  readonly port: number;
  /** Secret: anyone who knows it can fetch the file. */
  readonly path: string;
  /** The server's public key, as curl's `--pinnedpubkey` takes it. */
  readonly pin: string;
  readonly revoke: () => void;
}

/** Serves files by HTTPS to machines that have permission. */
export interface PullListener {
  permit(load: Load, onProgress: (sent: number) => void): Permission;
  close(): Promise<void>;
}

interface Permitted {
  readonly load: Load;
  readonly onProgress: (sent: number) => void;
}

/** Listens on a free port with its own key. It keeps no process alive. */
export async function openPullListener({
  random,
  now,
}: Pick<RemoteWorkerOptions, 'random' | 'now'>): Promise<PullListener> {
  const permitted = new Map<string, Permitted>();
  const { pin, ...identity } = await makeIdentity(now());
  const server = createServer(identity, (request, response) => {
    if (permitted.has(request.url ?? '')) pending.proved(request.socket);
    void answer(request, response, permitted);
  });
  const pending = limitPending(server, PENDING);
  server.listen(0);
  await once(server, 'listening');
  server.unref();
  const port = portOf(server);
  return {
    permit(load, onProgress) {
      const path = `/${Buffer.from(random(TOKEN_BYTES)).toString('base64url')}`;
      permitted.set(path, { load, onProgress });
      return { port, path, pin, revoke: () => void permitted.delete(path) };
    },
    async close() {
      permitted.clear();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port');
  return address.port;
}

/** A certificate for this run. Only its key counts: machines get the key's digest over SSH and check nothing else. */
async function makeIdentity(now: Date): Promise<{ key: string; cert: string; pin: string }> {
  const keys = await crypto.subtle.generateKey(KEY_ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=keadm batch',
    keys,
    signingAlgorithm: KEY_ALGORITHM,
    notBefore: now,
    notAfter: new Date(now.getTime() + YEAR_MS),
  });
  const publicKey = await crypto.subtle.exportKey('spki', keys.publicKey);
  const pin = `sha256//${createHash('sha256').update(Buffer.from(publicKey)).digest('base64')}`;
  const key = x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY');
  return { key, cert: certificate.toString('pem'), pin };
}

const YEAR_MS = 365 * 24 * 3600 * 1000;

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  permitted: ReadonlyMap<string, Permitted>,
): Promise<void> {
  const found = request.method === 'GET' ? permitted.get(request.url ?? '') : undefined;
  if (found === undefined) {
    response.writeHead(404).end();
    return;
  }
  const { load, onProgress } = found;
  response.writeHead(200, {
    'content-length': load.size,
    'content-type': 'application/octet-stream',
    connection: 'close',
  });
  // The machine reports by SSH whether it has got the whole file.
  let sent = 0;
  const blocks = counted(fileBlocks(load.path, load.size), (bytes) => onProgress((sent += bytes)));
  await writeThrough(response, blocks).catch(() => response.destroy());
}
