import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { frameMessage } from '../grpc/frames.ts';

/** A message, a refusal, or nothing at all. */
export type Answer = Uint8Array | { readonly status: number; readonly message: string } | 'silence';

/** The bytes of an answer. */
export function answerOf<Desc extends DescMessage>(schema: Desc, message: MessageInitShape<Desc>): Uint8Array {
  return toBinary(schema, create(schema, message));
}

/** What a test sees of its runtime. */
export interface TestRuntime {
  readonly endpoint: string;
  /** The methods that were called, in order. */
  readonly calls: string[];
  close(): Promise<void>;
}

/** Starts a real gRPC server on its own socket that answers as the test says. `message` holds the bytes of the request. */
export async function startTestRuntime(
  answer: (method: string, message: Buffer) => Answer,
): Promise<TestRuntime & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'fenestra-runtime-'));
  const calls: string[] = [];
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer().on('session', (session) => sessions.add(session));
  server.on('stream', (stream, headers) => {
    const method = String(headers[':path']).slice(1);
    calls.push(method);
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', () => undefined);
    stream.on('end', () => reply(stream, answer(method, Buffer.concat(chunks).subarray(5))));
  });
  server.listen(join(folder, 'runtime.sock'));
  await once(server, 'listening');

  async function close(): Promise<void> {
    for (const session of sessions) session.destroy();
    server.close();
    await rm(folder, { recursive: true, force: true });
  }

  return { endpoint: `unix://${folder}/runtime.sock`, calls, close, [Symbol.asyncDispose]: close };
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
