import { once } from 'node:events';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { RemoteTarget } from '@fenestra/platform';
import type { Algorithms, Client, ServerHostKeyAlgorithm } from 'ssh2';
import { withoutBrackets } from '../host-keys/known-hosts.ts';
import { unreachable } from '../remote-errors.ts';

/** A way to a machine that bytes can go. */
export type Way = Duplex;

/** Connects by the network, or through a machine that we are logged in to. */
export async function openSocket(target: RemoteTarget, through: Client | undefined, signal: AbortSignal): Promise<Way> {
  return through === undefined ? byNetwork(target, signal) : throughHost(target, through, signal);
}

async function byNetwork({ host, port }: RemoteTarget, signal: AbortSignal): Promise<Way> {
  const socket = connect({ host: withoutBrackets(host), port, noDelay: true, keepAlive: true });
  try {
    await once(socket, 'connect', { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** How long the machine in between tries is its own affair; we wait no longer than we may. */
async function throughHost(target: RemoteTarget, through: Client, signal: AbortSignal): Promise<Way> {
  const { promise, resolve, reject } = Promise.withResolvers<Way>();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  through.forwardOut('127.0.0.1', 0, withoutBrackets(target.host), target.port, (error, channel) => {
    if (error !== undefined) reject(unreachable(target, error.message, error));
    else if (signal.aborted) channel.destroy();
    else resolve(channel);
  });
  return promise.finally(() => signal.removeEventListener('abort', stop));
}

const HOST_KEYS: readonly ServerHostKeyAlgorithm[] = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
  'ssh-rsa',
];

/** Asks for the known key types of the machine first, and never for those it was refused with. */
export function algorithmsFor(knownTypes: readonly string[], refusedTypes: ReadonlySet<string>): Algorithms {
  const allowed = HOST_KEYS.filter((algorithm) => !refusedTypes.has(keyTypeOf(algorithm)));
  const known = allowed.filter((algorithm) => knownTypes.includes(keyTypeOf(algorithm)));
  const others = allowed.filter((algorithm) => !known.includes(algorithm));
  return { serverHostKey: [...known, ...others] };
}

function keyTypeOf(algorithm: ServerHostKeyAlgorithm): string {
  return algorithm.startsWith('rsa-sha2-') ? 'ssh-rsa' : algorithm;
}
