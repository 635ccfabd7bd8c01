import { connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';

/** A stretch of network that breaks by itself. */
export interface CuttingRelay {
  readonly port: number;
  /** How many connections it has cut. */
  cuts(): number;
  close(): Promise<void>;
}

/** Carries connections to a port, and cuts each of the first so many once it has carried so many bytes there. */
export async function openCuttingRelay(to: number, afterBytes: number, times: number): Promise<CuttingRelay> {
  const open = new Set<Socket>();
  let cuts = 0;
  const server = createServer((near) => {
    const far = connect({ host: '127.0.0.1', port: to });
    const cut = (): void => [near, far].forEach((socket) => socket.destroy());
    for (const socket of [near, far]) open.add(socket.on('error', cut).on('close', cut));
    let carried = 0;
    near.on('data', (data) => {
      carried += data.length;
      if (carried < afterBytes || cuts >= times) return;
      cuts += 1;
      cut();
    });
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    cuts: () => cuts,
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
