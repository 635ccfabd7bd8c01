import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps, type RequestOptions } from 'node:https';
import { OperatorError, systemCodeOf } from '@fenestra/kernel';
import { refusedError, unreachableError } from './api-errors.ts';
import type { Access, AccessKeeper } from './access.ts';

/** One request. `action` completes "Cannot …" if it fails. */
export interface Call {
  readonly action: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly contentType?: string;
}

/** HTTP to one API server. */
export interface Transport {
  /** The body of a successful answer. */
  request(call: Call, signal: AbortSignal): Promise<string>;
  /** A successful answer whose body goes on; it breaks off when nothing comes for `idleMs`. Destroy it when done. */
  stream(call: Call, idleMs: number, signal: AbortSignal): Promise<IncomingMessage>;
}

const ANSWER_MS = 30_000;
const LONGEST_ANSWER = 64 * 1024 * 1024;

/** Sends requests to the server until `life` aborts, and turns everything that is not success into a catalogue error. */
export function openTransport(server: URL, access: AccessKeeper, life: AbortSignal): Transport {
  const exchange = async (
    call: Call,
    watch: boolean,
    idleMs: number,
    signal: AbortSignal,
  ): Promise<IncomingMessage> => {
    const response = await send(server, await access.current(), call, { watch, idleMs }, signal);
    const status = response.statusCode ?? 0;
    if (status >= 200 && status < 300) return response;
    throw refusedError(call.action, status, await readBody(response));
  };
  return {
    async request(call, signal) {
      const deadline = timeLimit(ANSWER_MS, [signal, life]);
      try {
        return await readBody(await exchange(call, false, ANSWER_MS, deadline.signal));
      } catch (error) {
        throw explain(error, call, [signal, life]);
      } finally {
        deadline.clear();
      }
    },
    async stream(call, idleMs, signal) {
      try {
        return await exchange(call, true, idleMs, signal);
      } catch (error) {
        throw explain(error, call, [signal, life]);
      }
    },
  };
}

function explain(error: unknown, call: Call, signals: readonly AbortSignal[]): unknown {
  const aborted = signals.find((signal) => signal.aborted);
  if (aborted !== undefined) return aborted.reason;
  return error instanceof OperatorError ? error : unreachableError(call.action, error);
}

interface Manner {
  readonly watch: boolean;
  readonly idleMs: number;
}

async function send(
  server: URL,
  access: Access,
  call: Call,
  manner: Manner,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const start = server.protocol === 'https:' ? requestHttps : requestHttp;
  const request = start(requestOptions(server, access, call, manner, signal), resolve);
  request.on('error', reject);
  request.setTimeout(manner.idleMs, () => request.destroy(new Error(`nothing was received for ${manner.idleMs} ms`)));
  request.on('socket', (socket) => socket.setKeepAlive(true, 30_000));
  request.end(call.body);
  try {
    return await promise;
  } catch (error) {
    // A connection that idled may be closed by the server at the very moment it is used again.
    const stale = request.reusedSocket && systemCodeOf(error) === 'ECONNRESET' && call.method !== 'POST';
    if (stale && !signal.aborted) return await send(server, access, call, manner, signal);
    throw error;
  }
}

function requestOptions(server: URL, access: Access, call: Call, manner: Manner, signal: AbortSignal): RequestOptions {
  const query = new URLSearchParams(call.query).toString();
  const prefix = server.pathname.replace(/\/$/, '');
  const body =
    call.body === undefined
      ? {}
      : {
          'content-type': call.contentType ?? 'application/json',
          'content-length': Buffer.byteLength(call.body),
        };
  return {
    ...access.options,
    protocol: server.protocol,
    hostname: server.hostname.replace(/^\[|\]$/g, ''),
    port: server.port || (server.protocol === 'https:' ? 443 : 80),
    method: call.method,
    path: `${prefix}${call.path}${query === '' ? '' : `?${query}`}`,
    agent: manner.watch ? access.watches : access.requests,
    signal,
    headers: { accept: 'application/json', 'user-agent': 'fenestra', ...access.headers, ...body },
  };
}

async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    if (!Buffer.isBuffer(chunk)) continue;
    length += chunk.length;
    if (length > LONGEST_ANSWER) throw new Error(`the answer is longer than ${LONGEST_ANSWER} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Aborts with any of the signals or after a time. `AbortSignal.any` would leave a trace on long-lived signals with every request. */
function timeLimit(
  milliseconds: number,
  signals: readonly AbortSignal[],
): { readonly signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const stop = () => controller.abort(signals.find((signal) => signal.aborted)?.reason);
  for (const signal of signals) signal.addEventListener('abort', stop, { once: true });
  if (signals.some((signal) => signal.aborted)) stop();
  const timer = setTimeout(() => controller.abort(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', stop);
    },
  };
}
