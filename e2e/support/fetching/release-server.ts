import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { LOOPBACK_CERTIFICATE, LOOPBACK_KEY } from '@fenestra/kube-api/testing/loopback-certificate';

/** How a server treats one path. */
export interface Treatment {
  /** The connection breaks after so many bytes, for so many requests. */
  readonly breakAfter?: number;
  readonly breaks?: number;
  /** What the server says instead, for so many requests. */
  readonly statuses?: readonly number[];
  readonly redirectTo?: string;
  /** Pretends never to have heard of ranges. */
  readonly withoutRanges?: boolean;
  /** Gives every answer another tag, as if the file had changed. */
  readonly everChanging?: boolean;
}

/** A web server for files that are in memory, with a log of what it was asked. */
export interface ReleaseServer extends AsyncDisposable {
  readonly url: string;
  readonly files: Map<string, Buffer>;
  readonly treatments: Map<string, Treatment>;
  /** `GET /path`, with ` bytes=…` if a range was asked for and ` Basic …` if credentials were given. */
  readonly requests: string[];
}

/** Starts a server on a free port of the loopback interface. */
export async function startReleaseServer(protocol: 'http' | 'https' = 'http'): Promise<ReleaseServer> {
  const files = new Map<string, Buffer>();
  const treatments = new Map<string, Treatment>();
  const requests: string[] = [];
  const listener: RequestListener = (request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const seen = requests.filter((line) => line.split(' ')[1] === path).length;
    requests.push(describe(request, path));
    answer(request, response, { content: files.get(path), treatment: treatments.get(path) ?? {}, seen });
  };
  const server: Server =
    protocol === 'http'
      ? createServer(listener)
      : createSecureServer({ cert: LOOPBACK_CERTIFICATE, key: LOOPBACK_KEY }, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `${protocol}://127.0.0.1:${portOf(server)}`,
    files,
    treatments,
    requests,
    [Symbol.asyncDispose]: async () => void (await once(server.close(), 'close')),
  };
}

/** The port a server listens on. */
export function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port');
  return address.port;
}

interface Asked {
  readonly content: Buffer | undefined;
  readonly treatment: Treatment;
  readonly seen: number;
}

function answer(request: IncomingMessage, response: ServerResponse, { content, treatment, seen }: Asked): void {
  const status = treatment.statuses?.[seen];
  if (status !== undefined) return void response.writeHead(status).end('no');
  if (treatment.redirectTo !== undefined) return void response.writeHead(302, { location: treatment.redirectTo }).end();
  if (content === undefined) return void response.writeHead(404).end('<html>Not Found</html>');
  const etag = treatment.everChanging === true ? `"${seen}"` : '"the one"';
  const from = treatment.withoutRanges === true ? 0 : startOf(request, etag);
  const head = { etag, connection: 'close', 'content-length': content.length - from };
  const range = { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` };
  response.writeHead(from === 0 ? 200 : 206, from === 0 ? head : { ...head, ...range });
  const { breakAfter = content.length, breaks = 1 } = treatment;
  const piece = content.subarray(from, seen < breaks ? from + breakAfter : content.length);
  response.write(piece, () => {
    if (from + piece.length < content.length) response.destroy();
    else response.end();
  });
}

function startOf({ headers }: IncomingMessage, etag: string): number {
  const [, from] = /^bytes=(\d+)-$/.exec(headers.range ?? '') ?? [];
  return from === undefined || headers['if-range'] !== etag ? 0 : Number(from);
}

function describe({ method = '', headers }: IncomingMessage, path: string): string {
  return [method, path, headers.range, headers.authorization].filter((word) => word !== undefined).join(' ');
}
