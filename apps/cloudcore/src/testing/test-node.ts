import { acknowledge, decodeMessage, encodeMessage, handshakeHeaders, hubUrl, type Message } from '@fenestra/contracts';
import { WebSocket } from 'ws';
import type { NodeCredentials } from './test-cloud.ts';

/** A node's end of a connection to the hub, without an agent behind it. */
export interface TestNode {
  readonly socket: WebSocket;
  /** Everything the hub has sent so far. */
  readonly received: Message[];
  /** Resolves with the code and reason when the connection has ended. */
  readonly closed: Promise<{ code: number; reason: string }>;
  send(message: Message): void;
  /** Whether a message is acknowledged; changes what comes next. */
  answers: (message: Message) => boolean;
}

/** Connects a node; rejects with what the hub answered if it is refused. `headers` replace those of an honest node. */
export async function connectNode(
  port: number,
  credentials: NodeCredentials,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestNode> {
  const { node, ca, cert, key } = credentials;
  const all = { ...handshakeHeaders(node), ...headers };
  const socket = new WebSocket(hubUrl(`127.0.0.1:${port}`, node), {
    ca,
    cert,
    key,
    headers: all,
    perMessageDeflate: false,
  });
  const received: Message[] = [];
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  const self: TestNode = {
    socket,
    received,
    closed,
    send: (message) => socket.send(encodeMessage(message), { binary: false }),
    answers: () => true,
  };
  socket.on('message', (data: Buffer) => {
    const message = decodeMessage(data);
    received.push(message);
    if (self.answers(message)) self.send(acknowledge(message));
  });
  await opened(socket);
  return self;
}

async function opened(socket: WebSocket): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    socket.on('open', () => resolve());
    socket.on('error', reject);
    socket.on('unexpected-response', (_request, response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        socket.terminate();
        reject(new Error(`${response.statusCode}: ${Buffer.concat(chunks).toString()}`));
      });
    });
  });
}
