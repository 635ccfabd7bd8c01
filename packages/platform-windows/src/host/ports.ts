import { createServer } from 'node:net';
import { systemCodeOf } from '@fenestra/kernel';

/** Windows lets a listener on one address live beside one on all addresses, so each is asked for by itself. */
const ADDRESSES = ['127.0.0.1', '0.0.0.0', '::1', '::'];
/** The machine has no such address, so nobody can listen on it. */
const NO_ADDRESS = ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL', 'ENOTSUP'];

/** Whether a TCP port is free to listen on, on loopback and on all addresses. */
export async function isPortFree(port: number): Promise<boolean> {
  for (const address of ADDRESSES) {
    if (!(await canListen(port, address))) return false;
  }
  return true;
}

async function canListen(port: number, host: string): Promise<boolean> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  server.once('error', (error) => resolve(NO_ADDRESS.includes(systemCodeOf(error))));
  server.listen({ port, host, exclusive: true, ipv6Only: host.includes(':') }, () => {
    server.close(() => resolve(true));
  });
  return promise;
}
