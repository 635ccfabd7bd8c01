import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { frameMessage } from '../grpc/frames.ts';

/** A message, a refusal, or nothing at all. */
export type Answer = Uint8Array | { readonly status: number; readonly message: string } | 'silence';

/** A message with these fields. */
export const messageOf = create;

/** The bytes of an answer. */
export function answerOf<Desc extends DescMessage>(schema: Desc, message: MessageInitShape<Desc>): Uint8Array {
  return toBinary(schema, create(schema, message));
}

/** A gRPC server on a socket. */
export interface TestServer extends AsyncDisposable {
  readonly endpoint: string;
  /** Breaks all connections, and goes on listening. */
  hangUp(): void;
}

/** Starts a real HTTP/2 server on a separate socket. */
export async function startTestServer(
  onStream: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void,
): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'fenestra-runtime-'));
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer().on('session', (session) => sessions.add(session));
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    onStream(stream, headers);
  });
  server.listen(join(folder, 'runtime.sock'));
  await once(server, 'listening');

  function hangUp(): void {
    for (const session of sessions) session.destroy();
    sessions.clear();
  }

  async function close(): Promise<void> {
    hangUp();
    server.close();
    await rm(folder, { recursive: true, force: true });
  }

  return { endpoint: `unix://${folder}/runtime.sock`, hangUp, [Symbol.asyncDispose]: close };
}

/** What a test sees of its runtime. */
export interface TestRuntime extends TestServer {
  /** The methods that were called, in order. */
  readonly calls: readonly string[];
}

/** Starts a server that answers as the test says. `message` holds the bytes of the request. */
export async function startTestRuntime(answer: (method: string, message: Buffer) => Answer): Promise<TestRuntime> {
  const calls: string[] = [];
  const server = await startTestServer((stream, headers) => {
    const method = String(headers[':path']).slice(1);
    calls.push(method);
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => reply(stream, answer(method, Buffer.concat(chunks).subarray(5))));
  });
  return { ...server, calls };
}

function reply(stream: ServerHttp2Stream, answer: Answer): void {
  if (answer === 'silence') return;
  const head = { ':status': 200, 'content-type': 'application/grpc' };
  if (!(answer instanceof Uint8Array)) {
    // Go's servers send a refusal as one block of headers, without a body.
    const refusal = { 'grpc-status': answer.status, 'grpc-message': encodeURIComponent(answer.message) };
    stream.respond({ ...head, ...refusal }, { endStream: true });
    return;
  }
  stream.respond(head, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.end(frameMessage(answer));
}
