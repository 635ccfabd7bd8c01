import { once } from 'node:events';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { RemoteTarget } from '@fenestra/platform';
import type { Client } from 'ssh2';
import { withoutBrackets } from '../host-keys/host-pattern.ts';

/** A way to a machine that bytes can go. */
export type Way = Duplex;

/** Connects by the network, or through a machine that we are logged in to. */
export async function openSocket(target: RemoteTarget, through: Client | undefined, signal: AbortSignal): Promise<Way> {
  return through === undefined ? byNetwork(target, signal) : throughHost(target, through);
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

async function throughHost({ host, port }: RemoteTarget, through: Client): Promise<Way> {
  return new Promise((resolve, reject) => {
    through.forwardOut('127.0.0.1', 0, withoutBrackets(host), port, (error, channel) => {
      if (error === undefined) resolve(channel);
      else reject(error);
    });
  });
}
