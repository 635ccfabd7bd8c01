import type { ClientHttp2Session, IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2';
import { createConnection, type NetConnectOpts } from 'node:net';
import { systemCodeOf } from '@fenestra/kernel';
import { throwIfAborted } from '@fenestra/platform';
import { ConnectionLost, GRPC_STATUS, GrpcFailure, NotGrpc } from './failure.ts';
import { frameMessage, frameReader } from './frames.ts';

/** What is sent along with a call, by lower-case names. */
export type Metadata = Readonly<Record<string, string>>;

/** A connection to a gRPC server. `method` is `package.Service/Method`. */
export interface GrpcChannel {
  /** One message there, one back. */
  call(method: string, message: Uint8Array, signal: AbortSignal, metadata?: Metadata): Promise<Uint8Array>;
  /** One message there, any number back, as they come. */
  stream(method: string, message: Uint8Array, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined>;
  /** Ends the connection, and the calls that are under way with `ConnectionLost`. */
  close(): void;
}

/** Above the largest message both ways, which HTTP/2 counts with the rest that a connection holds. */
const SESSION_MEGABYTES = 64;

/**
 * Opens a channel to a socket, a named pipe or a port. It connects with the first call, which fails if nothing listens there. Once the
 * connection is lost, the next call makes a new one. A channel without calls under way does not keep the process up.
 */
export function openGrpcChannel(address: NetConnectOpts): GrpcChannel {
  let connection: Connection | undefined;

  function connected(): Connection {
    const usable = connection !== undefined && !connection.session.closed && !connection.session.destroyed;
    if (connection === undefined || !usable) connection = openConnection(address);
    return connection;
  }

  async function* stream(
    method: string,
    message: Uint8Array,
    signal: AbortSignal,
    metadata: Metadata = {},
  ): AsyncGenerator<Uint8Array> {
    const activity = `waiting for the container runtime to answer "${method}"`;
    throwIfAborted(activity, signal);
    const used = connected();
    hold(used);
    try {
      yield* exchange(used.session, { ...metadata, ':path': `/${method}` }, message, signal);
    } catch (error) {
      throwIfAborted(activity, signal);
      // The session knows why it broke; the call only that it did.
      throw error instanceof GrpcFailure ? error : asFailure(used.lost ?? error);
    } finally {
      release(used);
    }
  }

  return {
    async call(method, message, signal, metadata) {
      const answers: Uint8Array[] = [];
      for await (const answer of stream(method, message, signal, metadata)) answers.push(answer);
      const [answer, ...others] = answers;
      if (answer === undefined || others.length > 0)
        throw new NotGrpc('it sent an answer that is not a single message');
      return answer;
    },
    stream,
    close: () => connection?.session.destroy(),
  };
}

interface Connection {
  readonly session: ClientHttp2Session;
  /** Why the session broke. */
  lost?: unknown;
  /** How many calls are under way. */
  calls: number;
}

function openConnection(address: NetConnectOpts): Connection {
  // Loading HTTP/2 takes longer than most commands' work, and nearly none of them needs it.
  const { connect } = process.getBuiltinModule('node:http2');
  const session = connect('http://localhost', {
    createConnection: () => createConnection(address),
    maxSessionMemory: SESSION_MEGABYTES,
  });
  const connection: Connection = { session, calls: 0 };
  session.on('error', (error) => (connection.lost = error));
  return connection;
}

function hold(connection: Connection): void {
  connection.calls += 1;
  if (connection.calls === 1) connection.session.ref();
}

function release(connection: Connection): void {
  connection.calls -= 1;
  if (connection.calls === 0) connection.session.unref();
}

async function* exchange(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  message: Uint8Array,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const request = { ...headers, ':method': 'POST', 'content-type': 'application/grpc', te: 'trailers' };
  // Fired, the signal resets the stream, and so the server stops the work; so does a reader that leaves off.
  const stream = session.request(request, { signal });
  const received: IncomingHttpHeaders = {};
  stream.on('response', (part) => Object.assign(received, part));
  stream.on('trailers', (part) => Object.assign(received, part));
  stream.end(frameMessage(message));
  const reader = frameReader();
  for await (const chunk of stream) if (Buffer.isBuffer(chunk)) yield* reader.read(chunk);
  checkStatus(received);
  reader.end();
}

function checkStatus(headers: IncomingHttpHeaders): void {
  const { 'grpc-status': status, 'grpc-message': message = '' } = headers;
  if (typeof status !== 'string') throw withoutStatus(headers);
  if (Number(status) !== GRPC_STATUS.OK) throw new GrpcFailure(Number(status), plainText(String(message)));
}

/** One that has begun to answer as a gRPC server and does not go on, or has not begun at all, is gone. */
function withoutStatus({ 'content-type': type = 'application/grpc' }: IncomingHttpHeaders): Error {
  if (type.startsWith('application/grpc')) return new ConnectionLost('it broke the connection');
  return new NotGrpc(`it answered with "${type}"`);
}

/** A server writes what is not plain ASCII as `%20`; one that does it wrong is still to be understood. */
function plainText(message: string): string {
  try {
    return decodeURIComponent(message);
  } catch {
    return message;
  }
}

const ENDED: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Only Node's own codes distinguish a peer that does not support HTTP/2 from one that broke the connection. */
function asFailure(error: unknown): unknown {
  const code = systemCodeOf(error);
  if (code === 'ERR_HTTP2_ERROR') return new NotGrpc('it does not support HTTP/2', { cause: error });
  const isLost = code.startsWith('ERR_HTTP2_') || ENDED.has(code);
  return isLost ? new ConnectionLost('it broke the connection', { cause: error }) : error;
}
