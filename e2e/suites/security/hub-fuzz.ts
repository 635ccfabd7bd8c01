import { setTimeout as sleep } from 'node:timers/promises';
import { handshakeHeaders, hubUrl } from '@fenestra/contracts';
import { WebSocket } from 'ws';
import { mutatedFrame, nodeMessages } from '../../support/security/message-samples.ts';
import type { NodeIdentity } from '../../support/security/node-identity.ts';
import type { Random } from '../../support/security/random.ts';

const BUFFERED_BYTES = 64 * 1_024;
/** The hub reads no more than its allowance from each node; a frame that does not leave is not sent. */
const POLL_MS = 5;
const BATCH = 20;

/** Sends frames to a hub as several nodes at once, each connecting again when the hub ends its session. */
export async function fuzzHub(
  port: number,
  nodes: readonly NodeIdentity[],
  random: Random,
  count: number,
): Promise<void> {
  const share = Math.ceil(count / nodes.length);
  await Promise.all(nodes.map(async (identity) => sendAs(identity, port, random, share)));
}

async function sendAs(identity: NodeIdentity, port: number, random: Random, count: number): Promise<void> {
  const samples = nodeMessages(identity.node);
  let left = count;
  while (left > 0) {
    const socket = await connect(identity, port);
    while (left > 0 && socket.readyState === WebSocket.OPEN) {
      for (let sent = 0; sent < BATCH && left > 0; sent += 1, left -= 1) socket.send(mutatedFrame(random, samples));
      await sleep(POLL_MS);
      while (socket.bufferedAmount > BUFFERED_BYTES && socket.readyState === WebSocket.OPEN) await sleep(POLL_MS);
    }
    socket.terminate();
  }
}

async function connect({ node, cert, key }: NodeIdentity, port: number): Promise<WebSocket> {
  const socket = new WebSocket(hubUrl(`127.0.0.1:${port}`, node), {
    cert,
    key,
    headers: handshakeHeaders(node),
    rejectUnauthorized: false,
    perMessageDeflate: false,
  });
  // Ends of sessions are expected: whether the hub still serves is asked elsewhere.
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    socket.on('open', () => resolve());
    socket.on('close', () => resolve());
  });
  return socket;
}
