import { connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';

/** A port that leads somewhere else for later connections than for the first. */
export interface SwitchingRelay {
  close(): Promise<void>;
}

/** Carries the first connection made to `port` of the loopback on to `first`, and every later one to `then`. */
export async function openSwitchingRelay(port: number, first: number, then: number): Promise<SwitchingRelay> {
  const open = new Set<Socket>();
  let count = 0;
  const server = createServer((near) => {
    count += 1;
    const far = connect(count === 1 ? first : then, '127.0.0.1');
    for (const socket of [near, far]) open.add(socket.on('error', () => undefined));
    near.on('close', () => far.destroy()).pipe(far);
    far.on('close', () => near.destroy()).pipe(near);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
