import type { Server, Socket } from 'node:net';
import { addressKey } from './address-key.ts';

/** How many connections may be open whose other side has not proved who it is. */
export interface PendingLimits {
  readonly perAddress: number;
  readonly total: number;
}

/** The connections of a server whose other side has not proved who it is. */
export interface PendingConnections {
  /** The other side of this connection, plain or TLS, has proved who it is: the limits no longer apply to it. */
  proved(socket: Pick<Socket, 'remoteAddress' | 'remotePort'>): void;
}

/** Many nodes may reconnect from behind one address after the cloud restarts; each takes well under a second. */
export const PENDING: PendingLimits = { perAddress: 512, total: 2_048 };

/**
 * Closes the oldest pending connection whenever there are too many of one address, or of all together; then of the
 * address that has most. So connections that stay idle never keep others out.
 */
export function limitPending(server: Server, limits: PendingLimits): PendingConnections {
  const byAddress = new Map<string, Map<string, Socket>>();
  let total = 0;
  const remove = (address: string, peer: string): void => {
    const pending = byAddress.get(address);
    if (pending?.delete(peer) !== true) return;
    total -= 1;
    if (pending.size === 0) byAddress.delete(address);
  };
  const evictOldest = (address: string): void => {
    const [oldest] = byAddress.get(address) ?? [];
    if (oldest === undefined) return;
    remove(address, oldest[0]);
    oldest[1].destroy();
  };
  server.on('connection', (socket: Socket) => {
    const { address, peer } = peerOf(socket);
    const pending = byAddress.get(address) ?? new Map<string, Socket>();
    if (!pending.has(peer)) total += 1;
    byAddress.set(address, pending.set(peer, socket));
    socket.once('close', () => pending.get(peer) === socket && remove(address, peer));
    if (pending.size > limits.perAddress) evictOldest(address);
    else if (total > limits.total) evictOldest(largest(byAddress));
  });
  return {
    proved(socket) {
      const { address, peer } = peerOf(socket);
      remove(address, peer);
    },
  };
}

function largest(byAddress: ReadonlyMap<string, ReadonlyMap<string, Socket>>): string {
  let most: readonly [string, number] = ['', 0];
  for (const [address, { size }] of byAddress) if (size > most[1]) most = [address, size];
  return most[0];
}

/** A TLS connection and the plain one below it have the same peer. */
function peerOf({ remoteAddress = '', remotePort = 0 }: Pick<Socket, 'remoteAddress' | 'remotePort'>) {
  return { address: addressKey(remoteAddress), peer: `${remoteAddress} ${remotePort}` };
}
