import { handshakeHeaders, hubUrl } from '@fenestra/contracts';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { readClientCertificates, type ClientCertificate } from './credentials.ts';
import { sharedNow, takeOrders, type Handlers } from './orders.ts';

const KEEPALIVE_MS = 15_000;
const SLICE_MS = 100;
const DIALS_AT_ONCE = 40;
const FIRST_RECONNECT_MS = 2_000;
const LONGEST_RECONNECT_MS = 30_000;

const KEEPALIVE =
  '{"header":{"msg_id":"k","timestamp":0},"route":{"source":"websocket","group":"resource","operation":"keepalive","resource":"node"},"content":"ping"}\n';

const connected = new Set<WebSocket>();
let muted = false;
let messages = 0;
let lastAt = 0;
let wanted: { messages: number; resolve: (result: { at: number }) => void } | undefined;

const handlers: Handlers<'connect' | 'mute' | 'received' | 'connected'> = {
  connect,
  mute: ({ on }) => {
    muted = on;
    return null;
  },
  received: async (take) =>
    new Promise((resolve) => {
      wanted = { messages: take.messages, resolve };
      tellIfEnough();
    }),
  connected: () => ({ connected: connected.size }),
};
takeOrders(handlers);
keepAlive();

async function connect({ port, folder, from, to }: { port: number; folder: string; from: number; to: number }) {
  const waiting = [...readClientCertificates(folder, from, to)];
  const dialer = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await stayConnected(next, port);
  };
  await Promise.all(Array.from({ length: DIALS_AT_ONCE }, dialer));
  return null;
}

/** Resolves once connected for the first time; reconnects for ever, ever more slowly, as our agent does. */
async function stayConnected(client: ClientCertificate, port: number, failures = 0): Promise<void> {
  const again = async (): Promise<void> => {
    const longest = Math.min(LONGEST_RECONNECT_MS, FIRST_RECONNECT_MS * 2 ** failures);
    await sleep(longest * Math.random());
    await stayConnected(client, port, failures + 1);
  };
  const open = await dial(client, port, () => void again());
  if (!open) await again();
}

async function dial({ node, ca, cert, key }: ClientCertificate, port: number, onLost: () => void): Promise<boolean> {
  const headers = handshakeHeaders(node);
  const socket = new WebSocket(hubUrl(`127.0.0.1:${port}`, node), { ca, cert, key, headers, perMessageDeflate: false });
  return new Promise((resolve) => {
    socket.on('error', () => resolve(false));
    socket.on('open', () => {
      connected.add(socket);
      socket.on('close', () => {
        connected.delete(socket);
        onLost();
      });
      socket.send(KEEPALIVE);
      resolve(true);
    });
    socket.on('message', (data: Buffer) => answer(node, socket, data));
  });
}

/** Answers like an agent, but without reading the whole message: the server is what is measured. */
function answer(node: string, socket: WebSocket, data: Buffer): void {
  messages += 1;
  lastAt = sharedNow();
  tellIfEnough();
  const head = data.toString('latin1', 0, 320);
  const id = /"msg_id":"([^"]+)"/.exec(head)?.[1] ?? '';
  const refused = head.includes('configmap/failing');
  if (muted && node === 'node-0') return;
  const operation = refused ? 'error' : 'response';
  socket.send(
    `{"header":{"msg_id":"a","parent_msg_id":"${id}","timestamp":0},"route":{"source":"metamanager","group":"resource","operation":"${operation}","resource":"default/configmap/a"},"content":"OK"}\n`,
  );
}

function tellIfEnough(): void {
  if (wanted === undefined || messages < wanted.messages) return;
  messages -= wanted.messages;
  wanted.resolve({ at: lastAt });
  wanted = undefined;
}

/** One timer for all: every node says a word every 15 seconds, spread evenly. */
function keepAlive(): void {
  let turn = 0;
  const slices = KEEPALIVE_MS / SLICE_MS;
  setInterval(() => {
    turn = (turn + 1) % slices;
    let index = 0;
    for (const socket of connected) {
      if (index % slices === turn) socket.send(KEEPALIVE);
      index += 1;
    }
  }, SLICE_MS);
}
