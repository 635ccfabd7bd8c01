import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP port on loopback, or a Unix socket. */
export type Endpoint = { readonly port: number } | { readonly path: string };

/** A stretch of network from one endpoint to another, which a test can cut. */
export interface Relay {
  /** Ends every connection at once and takes no new ones. */
  cut(): Promise<void>;
  /** Takes connections again. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';

/** Carries every connection made to `from` on to `to`. */
export async function openRelay(from: Endpoint, to: Endpoint): Promise<Relay> {
  const open = new Set<Socket>();
  let server: Server | undefined = await listen(from, (near) => join(near, to, open));
  const cut = async (): Promise<void> => {
    const closing = server;
    server = undefined;
    for (const socket of open) socket.destroy();
    if (closing !== undefined) await new Promise((done) => closing.close(done));
  };
  return {
    cut,
    async restore() {
      server ??= await listen(from, (near) => join(near, to, open));
    },
    close: cut,
  };
}

async function listen(at: Endpoint, onConnection: (socket: Socket) => void): Promise<Server> {
  const { promise, resolve, reject } = Promise.withResolvers<Server>();
  const server = createServer({ allowHalfOpen: true }, onConnection).once('error', reject);
  server.listen(addressOf(at), () => resolve(server));
  return promise;
}

function join(near: Socket, to: Endpoint, open: Set<Socket>): void {
  const far = connect({ ...addressOf(to), allowHalfOpen: true });
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    open.add(one);
    one.setNoDelay(true);
    one.on('error', () => other.destroy()).on('close', () => leave(one, other, open));
    one.pipe(other);
  }
}

function leave(socket: Socket, other: Socket, open: Set<Socket>): void {
  open.delete(socket);
  other.destroy();
}

function addressOf(endpoint: Endpoint): { host: string; port: number } | { path: string } {
  return 'port' in endpoint ? { host: LOOPBACK, port: endpoint.port } : { path: endpoint.path };
}
