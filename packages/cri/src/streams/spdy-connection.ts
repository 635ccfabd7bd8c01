import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { OperatorError, systemCodeOf } from '@fenestra/kernel';
import { dataFrame, frameSplitter, openingFrame, type SpdyFrame } from './spdy-frames.ts';

/** What a stream receives. */
export interface StreamReceiver {
  /** Takes bytes; what it returns is waited for before more are read. */
  readonly onData: (bytes: Buffer) => Promise<void>;
  readonly onEnd?: () => void;
}

/** One direction of a stream to the runtime. */
export interface SpdyStream {
  write(bytes: Uint8Array): Promise<void>;
  /** Says that nothing follows. */
  end(): void;
}

/** A connection with several streams, to one of the addresses that a runtime gives out. */
export interface SpdyConnection {
  open(type: string, receiver?: StreamReceiver): SpdyStream;
  /** Returns when the other side has ended the connection, or it was lost. */
  readonly closed: Promise<void>;
  close(): void;
}

/** The versions of the protocol on top: the newest one that containerd speaks reports exit codes. */
const PROTOCOL = 'v4.channel.k8s.io';
const LARGEST_FRAME_BYTES = 32 * 1024;

/** Connects to an address of a runtime. */
export async function connectSpdy(url: string, signal: AbortSignal): Promise<SpdyConnection> {
  const { protocol } = new URL(url);
  if (protocol !== 'http:') {
    throw new OperatorError(
      'NOT_SUPPORTED',
      `Cannot use a stream of the container runtime: it asks for "${protocol}"`,
      {
        hint: 'Set "enable_tls_streaming = false" in the configuration of containerd.',
      },
    );
  }
  return connectionOver(await upgrade(url, signal));
}

async function upgrade(url: string, signal: AbortSignal): Promise<Socket> {
  const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1', 'x-stream-protocol-version': PROTOCOL };
  const sent = request(url, { method: 'POST', headers, signal });
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  sent.once('upgrade', (_response, socket: Socket, head) => {
    if (head.length > 0) socket.unshift(head);
    resolve(socket);
  });
  sent.once('response', (response) => {
    response.resume();
    reject(refused(`it answers ${response.statusCode}`));
  });
  sent.once('error', (cause) => reject(signal.aborted ? interrupted() : refused(systemCodeOf(cause), cause)));
  sent.end();
  return promise;
}

function refused(reason: string, cause?: unknown): OperatorError {
  return new OperatorError('RUNTIME_UNUSABLE', `Cannot connect to a stream of the container runtime: ${reason}`, {
    hint: 'Read the log of the container runtime.',
    cause,
  });
}

/** The operator has ended the command. */
export function interrupted(): OperatorError {
  return new OperatorError('INTERRUPTED', 'Interrupted', { hint: 'Run the command again.' });
}

function connectionOver(socket: Socket): SpdyConnection {
  const receivers = new Map<number, StreamReceiver>();
  const split = frameSplitter();
  let lastStream = -1;
  const closed = readFrames();
  const send = async (bytes: Buffer): Promise<void> => {
    if (!socket.destroyed && !socket.write(bytes)) await Promise.race([once(socket, 'drain'), closed]);
  };

  async function readFrames(): Promise<void> {
    try {
      for await (const chunk of socket) for (const each of split(Buffer.from(chunk))) await receive(each);
    } catch {
      // The caller finds that there is no result.
    }
  }

  async function receive(received: SpdyFrame): Promise<void> {
    if (received.kind === 'ping') await send(received.bytes);
    if (received.kind === 'reset') receivers.get(received.stream)?.onEnd?.();
    if (received.kind !== 'data') return;
    const receiver = receivers.get(received.stream);
    if (received.payload.length > 0) await receiver?.onData(received.payload);
    if (received.isLast) receiver?.onEnd?.();
  }

  return {
    open(type, receiver) {
      // Streams that a client opens have odd numbers.
      const stream = (lastStream += 2);
      if (receiver !== undefined) receivers.set(stream, receiver);
      socket.write(openingFrame(stream, { streamtype: type }, stream === 1));
      return {
        async write(bytes) {
          for (let start = 0; start < bytes.length; start += LARGEST_FRAME_BYTES)
            await send(dataFrame(stream, bytes.subarray(start, start + LARGEST_FRAME_BYTES), false));
        },
        end: () => void (socket.destroyed || socket.write(dataFrame(stream, Buffer.alloc(0), true))),
      };
    },
    closed,
    close: () => void socket.destroy(),
  };
}
