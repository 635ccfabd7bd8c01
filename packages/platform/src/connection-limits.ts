import { isIPv6, type Server, type Socket } from 'node:net';

/** How many connections may be open at once, of one key and of all together. */
export interface ConnectionLimits {
  readonly perKey: number;
  readonly total: number;
}

/** Connections that are counted, each by a key: an address or a user. */
export interface CountedConnections {
  /** Counts a connection until it is closed. Counting it again changes nothing. */
  add(key: string, socket: Socket): void;
  /** Counts it no longer; it stays open. */
  remove(key: string, socket: Pick<Socket, 'remoteAddress' | 'remotePort'>): void;
}

/**
 * Closes the oldest connection whenever there are too many of one key, or of all together; then of the key that has most.
 * So connections that stay idle never keep others out.
 */
export function limitConnections(limits: ConnectionLimits): CountedConnections {
  const byKey = new Map<string, Map<string, Socket>>();
  let total = 0;
  const remove = (key: string, peer: string): void => {
    const connections = byKey.get(key);
    if (connections?.delete(peer) !== true) return;
    total -= 1;
    if (connections.size === 0) byKey.delete(key);
  };
  const evictOldest = (key: string): void => {
    const [oldest] = byKey.get(key) ?? [];
    if (oldest === undefined) return;
    remove(key, oldest[0]);
    oldest[1].destroy();
  };
  return {
    add(key, socket) {
      const peer = peerOf(socket);
      const connections = byKey.get(key) ?? new Map<string, Socket>();
      if (connections.get(peer) === socket) return;
      if (!connections.has(peer)) total += 1;
      byKey.set(key, connections.set(peer, socket));
      socket.once('close', () => connections.get(peer) === socket && remove(key, peer));
      if (connections.size > limits.perKey) evictOldest(key);
      else if (total > limits.total) evictOldest(largest(byKey));
    },
    remove: (key, socket) => remove(key, peerOf(socket)),
  };
}

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

/** Limits the pending connections of a server, by address and in all. The oldest is closed for a new one. */
export function limitPending(server: Server, { perAddress, total }: PendingLimits): PendingConnections {
  const pending = limitConnections({ perKey: perAddress, total });
  server.on('connection', (socket: Socket) => pending.add(addressKey(socket.remoteAddress ?? ''), socket));
  return { proved: (socket) => pending.remove(addressKey(socket.remoteAddress ?? ''), socket) };
}

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const NETWORK_GROUPS = 4;

/** What limits per address count by: an IPv4 address, or the /64 network of an IPv6 one, which one host may own whole. */
export function addressKey(address: string): string {
  const mapped = MAPPED.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = (address.split('%', 1)[0] ?? '').split('::');
  const [first, last] = [groupsOf(head), groupsOf(tail ?? '')];
  const missing = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  const groups = [...first, ...Array.from({ length: missing }, () => '0'), ...last];
  return `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

function groupsOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16).toString(16));
}

function largest(byKey: ReadonlyMap<string, ReadonlyMap<string, Socket>>): string {
  let most: readonly [string, number] = ['', 0];
  for (const [key, { size }] of byKey) if (size > most[1]) most = [key, size];
  return most[0];
}

/** A TLS connection and the plain one below it have the same peer. */
function peerOf({ remoteAddress = '', remotePort = 0 }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string {
  return `${remoteAddress} ${remotePort}`;
}
