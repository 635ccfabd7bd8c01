import type { IncomingMessage } from 'node:http';
import { WebSocket, type RawData } from 'ws';
import {
  MAX_MESSAGE_BYTES,
  decodeMessage,
  encodeMessage,
  handshakeHeaders,
  hubUrl,
  newKeepalive,
  nodeMessageLimit,
  type Message,
} from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import type { Logger } from '@fenestra/platform';
import { failureFields } from '../modules/describe-failure.ts';
import { connectionError } from './connection-errors.ts';
import { startHeartbeat, type HeartbeatOptions, type Pulse } from './heartbeat.ts';
import { OutgoingQueue, rateLimit, type RateLimit } from './outgoing-queue.ts';

/** How a connection is used. It can change while the connection lasts. */
export interface ConnectionPace {
  readonly heartbeatMs: number;
  readonly writeDeadlineMs: number;
  readonly messagesPerSecond: number;
  readonly messageBurst: number;
}

/** Where to connect to and as whom. Certificates and keys are PEM. */
export interface ConnectionOptions extends ConnectionPace {
  readonly server: string;
  readonly nodeName: string;
  readonly projectId: string;
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
  readonly handshakeTimeoutMs: number;
  readonly log: Logger;
}

/** One live connection to the cloud. It never comes back once it has ended. */
export interface HubConnection {
  /** Queues a message; throws `HUB_QUEUE_FULL` or `MESSAGE_INVALID`. `taken` is called when it has left for the network. */
  send(message: Message, taken?: () => void): void;
  /** Sends an acknowledgement, ahead of what waits. */
  sendUrgent(message: Message): void;
  /** Whether to read on. A reader that can't keep up makes the cloud wait instead of losing messages. */
  setReading(reading: boolean): void;
  /** Changes the pace from now on; nothing that waits is lost. */
  tune(pace: ConnectionPace): void;
  /** Fulfilled with the reason, once, when the connection has ended. */
  readonly ended: Promise<string>;
  close(reason: string): void;
}

/** Takes a message together with the connection it came by, which is the one to answer on. */
export type Receiver = (message: Message, origin: HubConnection) => void;

const MAX_QUOTED = 200;
const GOING_AWAY = 1001;
const CLOSE_PATIENCE_MS = 2_000;

/** Connects, and returns once the cloud has accepted the node. `receive` must be ready for messages at once. */
export async function openHubConnection(
  options: ConnectionOptions,
  receive: Receiver,
  signal: AbortSignal,
): Promise<HubConnection> {
  signal.throwIfAborted();
  const socket = dial(options);
  const abandon = (): void => socket.terminate();
  signal.addEventListener('abort', abandon, { once: true });
  try {
    await opened(socket, options);
    signal.throwIfAborted();
    return converse(socket, options, receive);
  } catch (cause) {
    signal.throwIfAborted();
    throw cause;
  } finally {
    signal.removeEventListener('abort', abandon);
  }
}

function dial({ server, nodeName, projectId, ca, certificate, key, handshakeTimeoutMs }: ConnectionOptions): WebSocket {
  return new WebSocket(hubUrl(server, nodeName, projectId), {
    headers: handshakeHeaders(nodeName, projectId),
    ca,
    cert: certificate,
    key,
    minVersion: 'TLSv1.2',
    handshakeTimeout: handshakeTimeoutMs,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    // One message per turn of the event loop: a cloud that sends much delays nothing else in the agent.
    allowSynchronousEvents: false,
  });
}

/** The library's own limit is on silence only: a cloud that sends a byte now and then never reaches it. */
async function opened(socket: WebSocket, options: ConnectionOptions): Promise<void> {
  const timer = setTimeout(() => socket.terminate(), options.handshakeTimeoutMs);
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('unexpected-response', (_, response) => {
      clearTimeout(timer);
      void refusal(options, response).then(reject, reject);
    });
    socket.on('error', (cause) => reject(connectionError(cause, `connect to the cloud at "${options.server}"`)));
  }).finally(() => clearTimeout(timer));
}

/** What the cloud says instead of accepting the node. 401 and 403 are about the node's certificate. */
async function refusal(
  { server, handshakeTimeoutMs }: ConnectionOptions,
  response: IncomingMessage,
): Promise<OperatorError> {
  const status = response.statusCode ?? 0;
  const reason = await beginningOf(response, handshakeTimeoutMs);
  const code = status === 401 || status === 403 ? 'CERTIFICATE_REJECTED' : 'HUB_UNREACHABLE';
  const answer = [String(status), reason].filter((text) => text !== '').join(', ');
  return new OperatorError(code, `Cannot connect to the cloud at "${server}": it answers ${answer}`, {
    hint: 'Look at the log of the cloud for why it refuses this node.',
    details: { status },
  });
}

/** What arrives of a text in a limited time; the rest is not read. */
async function beginningOf(response: IncomingMessage, limitMs: number): Promise<string> {
  const timer = setTimeout(() => response.destroy(), limitMs);
  let text = '';
  try {
    for await (const chunk of response) {
      text += Buffer.from(chunk).toString('latin1');
      if (text.length > MAX_QUOTED) break;
    }
  } catch {
    // The connection was lost or is too slow: what has arrived is quoted.
  } finally {
    clearTimeout(timer);
    response.destroy();
  }
  return text
    .slice(0, MAX_QUOTED)
    .replaceAll(/[^\x20-\x7e]+/g, ' ')
    .trim();
}

function converse(socket: WebSocket, options: ConnectionOptions, receive: Receiver): HubConnection {
  const { log } = options;
  const outgoing = new OutgoingQueue({
    write: (frame, taken) => socket.send(frame, { binary: false }, (cause) => (cause ? undefined : taken())),
    limit: limitOf(options),
    now,
  });
  const pulse = pulseOf(socket, outgoing, log);
  let stopBeating = startHeartbeat(pulse, beatOf(options));
  const connection: HubConnection = {
    send: (message, taken) => outgoing.add(encodeMessage(message, nodeMessageLimit(message)), taken),
    sendUrgent: (message) => outgoing.addUrgent(encodeMessage(message, nodeMessageLimit(message))),
    setReading: (reading) => (reading ? socket.resume() : socket.pause()),
    tune(pace) {
      if (socket.readyState !== socket.OPEN) return;
      stopBeating();
      stopBeating = startHeartbeat(pulse, beatOf(pace));
      outgoing.limitBy(limitOf(pace));
    },
    ended: whenEnded(socket).finally(() => {
      stopBeating();
      outgoing.close();
    }),
    close: (reason) => hangUp(socket, reason),
  };
  socket.on('message', (data) => take(data, (message) => receive(message, connection), log));
  return connection;
}

function now(): number {
  return performance.now();
}

function limitOf({ messagesPerSecond, messageBurst }: ConnectionPace): RateLimit {
  return rateLimit(messagesPerSecond, messageBurst, now);
}

function beatOf({ heartbeatMs, writeDeadlineMs }: ConnectionPace): HeartbeatOptions {
  return { intervalMs: heartbeatMs, writeDeadlineMs };
}

function pulseOf(socket: WebSocket, outgoing: OutgoingQueue, log: Logger): Pulse {
  let heardAt: number | undefined;
  socket.on('pong', () => (heardAt = now()));
  return {
    beat() {
      outgoing.addUrgent(encodeMessage(newKeepalive()));
      socket.ping();
    },
    silentMs() {
      // What is not read can't be heard.
      if (heardAt !== undefined && socket.isPaused) heardAt = now();
      return heardAt === undefined ? 0 : now() - heardAt;
    },
    stalledMs: () => outgoing.stalledMs(),
    giveUp(reason: string) {
      log.warn('Stopped reconnecting to the cloud', { reason });
      socket.terminate();
    },
  };
}

/** A message no one can read is dropped alone: the connection and all other messages are sound. */
function take(data: RawData, receive: (message: Message) => void, log: Logger): void {
  try {
    receive(decodeMessage(bytesOf(data)));
  } catch (cause) {
    log.warn('A message from the cloud cannot be read and is dropped', failureFields(cause));
  }
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}

async function whenEnded(socket: WebSocket): Promise<string> {
  return new Promise((resolve) => {
    let failure = '';
    socket.on('error', ({ message }) => (failure = message));
    socket.once('close', (code, reason) => {
      const text = reason.toString() || failure;
      resolve(text === '' ? `closed with code ${code}` : `closed with code ${code}: ${text}`);
    });
  });
}

function hangUp(socket: WebSocket, reason: string): void {
  socket.close(GOING_AWAY, reason);
  // A cloud that does not answer the farewell is left without it.
  const timer = setTimeout(() => socket.terminate(), CLOSE_PATIENCE_MS);
  socket.once('close', () => clearTimeout(timer));
}
