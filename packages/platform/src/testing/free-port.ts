import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Above those that programs of ours have, below those that the system takes for connections and might take before us. */
const PORTS = { first: 12_000, end: 32_768 };
const MOST_TRIES = 100;

/** A TCP port of the loopback on which nothing listens at the moment. */
export async function freePort(): Promise<number> {
  for (let count = 0; count < MOST_TRIES; count += 1) {
    const port = randomInt(PORTS.first, PORTS.end);
    if (await isFree(port)) return port;
  }
  throw new Error(`None of ${MOST_TRIES} ports is free`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
