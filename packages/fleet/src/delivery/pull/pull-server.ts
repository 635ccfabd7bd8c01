import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeThrough } from '../write-through.ts';
import type { SealedFile, SealTools } from './sealed-file.ts';

const TOKEN_BYTES = 24;

/** Leave for one machine to fetch one file. */
export interface Pass {
  readonly port: number;
  readonly path: string;
  /** Takes it back. */
  revoke(): void;
}

/** Gives sealed files to machines that have a pass. */
export interface PullServer {
  admit(file: SealedFile, onProgress: (sent: number) => void): Pass;
  close(): Promise<void>;
}

interface Admission {
  readonly file: SealedFile;
  readonly onProgress: (sent: number) => void;
}

/** Listens on a port that is free. It keeps no process alive. */
export async function openPullServer(random: SealTools['random']): Promise<PullServer> {
  const passes = new Map<string, Admission>();
  const server = createServer((request, response) => void answer(request, response, passes));
  server.listen(0);
  await once(server, 'listening');
  server.unref();
  const port = portOf(server);
  return {
    admit(file, onProgress) {
      const path = `/${Buffer.from(random(TOKEN_BYTES)).toString('base64url')}`;
      passes.set(path, { file, onProgress });
      return { port, path, revoke: () => void passes.delete(path) };
    },
    async close() {
      passes.clear();
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

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  passes: Map<string, Admission>,
): Promise<void> {
  const admission = request.method === 'GET' ? passes.get(request.url ?? '') : undefined;
  // One that comes again for what will never be whole is not to come once more.
  if (admission === undefined || admission.file.isBroken()) {
    response.writeHead(404).end();
    return;
  }
  const { file, onProgress } = admission;
  response.writeHead(200, {
    'content-length': file.size,
    'content-type': 'application/octet-stream',
    connection: 'close',
  });
  // A machine that goes away in the middle says so by itself.
  await writeThrough(response, counted(file.bytes(), onProgress)).catch(() => response.destroy());
}

async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  onProgress: (sent: number) => void,
): AsyncGenerator<Uint8Array> {
  let sent = 0;
  for await (const piece of bytes) {
    yield piece;
    onProgress((sent += piece.length));
  }
}
