import { once } from 'node:events';
import { createServer } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLOUD_NAMESPACE, CLOUD_SECRETS } from '@fenestra/contracts';
import { KINDS, stringAt, type KubeApi } from '@fenestra/kube-api';
import { type WebSocket, WebSocketServer } from 'ws';
import { unlimited } from '../cloud/patience.ts';
import type { Credentials } from './http-fuzz.ts';
import { cloudMessages, mutatedFrame } from './message-samples.ts';
import { pemOf } from './node-identity.ts';
import type { Random } from './random.ts';

const BUFFERED_BYTES = 64 * 1_024;
const POLL_MS = 5;
const BATCH = 5;

/** The certificate and key of the cloud's hub: an attacker who has them can speak to its nodes. */
export async function hubCredentials(api: KubeApi): Promise<Credentials> {
  const { name, certificate, key } = CLOUD_SECRETS.server;
  const stored = await api.get(KINDS.secret, { namespace: CLOUD_NAMESPACE, name }, unlimited());
  const der = (field: string): Buffer => Buffer.from(stringAt(stored, 'data', field), 'base64');
  return { cert: pemOf(der(certificate)), key: pemOf(der(key), 'EC PRIVATE KEY') };
}

/** A server in the hub's place that agents believe. */
export interface HostileHub {
  /** Sends that many frames to the one agent that connects, and connects again whenever it likes. */
  attack(random: Random, count: number): Promise<void>;
  close(): Promise<void>;
}

/** Opens a hostile hub on a port of loopback. */
export async function openHostileHub(port: number, hub: Credentials): Promise<HostileHub> {
  const server = createServer({ ...hub, requestCert: true, rejectUnauthorized: false });
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    async attack(random, count) {
      for (let left = count; left > 0;) left -= await sendUntilClosed(await agentOf(sockets), random, left);
    },
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The connection of the agent, once there is one. */
async function agentOf(sockets: WebSocketServer): Promise<WebSocket> {
  const open = [...sockets.clients].find((socket) => socket.readyState === socket.OPEN);
  if (open !== undefined) return open;
  const [socket]: WebSocket[] = await once(sockets, 'connection');
  if (socket === undefined) throw new Error('A connection without a socket');
  socket.on('error', () => undefined).on('message', () => undefined);
  return socket;
}

/** Returns how many frames were sent. */
async function sendUntilClosed(socket: WebSocket, random: Random, most: number): Promise<number> {
  const samples = cloudMessages();
  let sent = 0;
  while (sent < most && socket.readyState === socket.OPEN) {
    for (let left = BATCH; left > 0 && sent < most; left -= 1, sent += 1) socket.send(mutatedFrame(random, samples));
    await sleep(POLL_MS);
    while (socket.bufferedAmount > BUFFERED_BYTES && socket.readyState === socket.OPEN) await sleep(POLL_MS);
  }
  return sent;
}
