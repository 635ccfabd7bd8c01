import type { IncomingMessage } from 'node:http';
import type { Server, Socket } from 'node:net';
import { OperatorError, systemCodeOf } from '@fenestra/kernel';

/** A server that listens. */
export interface Listening {
  /** The port, also where any free one was asked for. */
  readonly port: number;
  /** Stops listening; open connections go on. */
  stopListening(): void;
  /** Ends everything, connections included. */
  close(): Promise<void>;
}

/** Makes a server listen, or throws an error that names the address. */
export async function listen(server: Server, address: string, port: number): Promise<Listening> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(cannotListen(address, port, cause)));
    server.listen(port, address, resolve);
  });
  const bound = server.address();
  // Only the sockets themselves tell of those that never came as far as a request, or went on to be WebSockets.
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return {
    port: typeof bound === 'object' && bound !== null ? bound.port : port,
    stopListening: () => void server.close(),
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      });
    },
  };
}

function cannotListen(address: string, port: number, cause: unknown): OperatorError {
  const code = systemCodeOf(cause);
  return new OperatorError('CANNOT_LISTEN', `Cannot listen on "${address}:${port}" (${code})`, {
    hint: 'Stop the program that uses this port, or give another address or port in the configuration.',
    cause,
  });
}

/** Reads a request's body; undefined if it is larger than allowed, in which case the rest is not read. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > limit) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
