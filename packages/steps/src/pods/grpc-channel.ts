import type { ClientHttp2Session, IncomingHttpHeaders } from 'node:http2';
import { createConnection } from 'node:net';
import { systemCodeOf } from '@fenestra/kernel';
import { throwIfAborted } from '@fenestra/platform';
import { ConnectionLost, GRPC_STATUS, GrpcFailure, NotGrpc } from './grpc-failure.ts';
import { frameMessage, unframeMessage } from './grpc-frame.ts';

/** A connection to a gRPC server on this machine. */
export interface GrpcChannel {
  /** One message there, one back. `method` is `package.Service/Method`. */
  call(method: string, message: Uint8Array, signal: AbortSignal): Promise<Uint8Array>;
  close(): void;
}

/** As much as kubelet takes from a runtime. */
const MOST_ANSWER_BYTES = 16 * 1024 * 1024;

/** Opens a channel over a socket or a named pipe. It connects with the first call, which fails if nobody is there. */
export function openGrpcChannel(socketPath: string): GrpcChannel {
  // Loading HTTP/2 takes longer than most commands' work, and nearly none of them needs it.
  const { connect } = process.getBuiltinModule('node:http2');
  let session: ClientHttp2Session | undefined;
  let lost: unknown;

  function openSession(): ClientHttp2Session {
    const opened = connect('http://localhost', { createConnection: () => createConnection(socketPath) });
    return opened.on('error', (error) => (lost = error));
  }

  return {
    async call(method, message, signal) {
      const activity = `waiting for the container runtime to answer "${method}"`;
      throwIfAborted(activity, signal);
      session ??= openSession();
      try {
        return await exchange(session, method, message, signal);
      } catch (error) {
        throwIfAborted(activity, signal);
        // The session knows why it broke; the call only that it did.
        throw asFailure(lost ?? error);
      }
    },
    close: () => session?.destroy(),
  };
}

async function exchange(
  session: ClientHttp2Session,
  method: string,
  message: Uint8Array,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const request = { ':method': 'POST', ':path': `/${method}`, 'content-type': 'application/grpc', te: 'trailers' };
  const stream = session.request(request, { signal });
  const headers: IncomingHttpHeaders = {};
  stream.on('response', (part) => Object.assign(headers, part));
  stream.on('trailers', (part) => Object.assign(headers, part));
  stream.end(frameMessage(message));
  const answer = await collect(stream);
  checkStatus(headers);
  return unframeMessage(answer) ?? refuse('an answer that is not a single message');
}

async function collect(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    if (!Buffer.isBuffer(chunk)) continue;
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MOST_ANSWER_BYTES) return refuse(`more than ${MOST_ANSWER_BYTES} bytes`);
  }
  return Buffer.concat(chunks);
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

function refuse(what: string): never {
  throw new NotGrpc(`it sent ${what}`);
}

/** Nobody but Node's own codes tell a peer that does not speak HTTP/2 from one that broke the connection. */
function asFailure(error: unknown): unknown {
  const code = systemCodeOf(error);
  if (code === 'ERR_HTTP2_ERROR') return new NotGrpc('it does not support HTTP/2', { cause: error });
  const isLost = code.startsWith('ERR_HTTP2_') || code === 'ECONNRESET' || code === 'EPIPE';
  return isLost ? new ConnectionLost('it broke the connection', { cause: error }) : error;
}
