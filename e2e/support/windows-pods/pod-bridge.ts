/**
 * The containers of Windows pods are made as Linux ones in a real containerd. This server stands between the agent and
 * containerd. It changes four messages, as `linux-request.ts` says, and passes all others on as they are.
 */
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { GrpcFailure, socketPathOf } from '@fenestra/cri';
import type { CreateContainerRequest } from '@fenestra/cri/messages';
import { startTestServer } from '@fenestra/cri/testing/test-runtime';
import { type GrpcChannel, openGrpcChannel } from '../../../packages/cri/src/grpc/channel.ts';
import { frameMessage } from '../../../packages/cri/src/grpc/frames.ts';
import { type Change, changeOf } from './message-changes.ts';

/** A server for the agent of a Windows node. */
export interface PodBridge extends AsyncDisposable {
  /** The socket it listens on. */
  readonly path: string;
  /** What the agent asked for, unchanged, by the ids of the containers. */
  readonly containers: ReadonlyMap<string, CreateContainerRequest>;
}

const UNAVAILABLE = 14;
const PREFIX_BYTES = 5;

/** Starts a bridge to a containerd, for a node whose `C:\var` is a folder of this machine. */
export async function startPodBridge(endpoint: string, varFolder: string): Promise<PodBridge> {
  const containers = new Map<string, CreateContainerRequest>();
  const channel = openGrpcChannel({ path: socketPathOf(endpoint) });
  const server = await startTestServer((stream, headers) => {
    const method = methodOf(headers);
    const change = changeOf(method.split('/')[1] ?? '', containers, varFolder);
    carry(stream, method, change, channel).catch(() => stream.destroy());
  });
  return {
    path: socketPathOf(server.endpoint),
    containers,
    async [Symbol.asyncDispose]() {
      channel.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** As `package.Service/Method`. */
function methodOf(headers: IncomingHttpHeaders): string {
  return String(headers[':path']).slice(1);
}

async function carry(stream: ServerHttp2Stream, method: string, change: Change, channel: GrpcChannel): Promise<void> {
  const ending = new AbortController();
  stream.on('close', () => ending.abort());
  const message = await readMessage(stream);
  let result: Record<string, string | number> = { 'grpc-status': 0 };
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers(result));
  try {
    const answers = channel.stream(method, change.request(message), ending.signal);
    for await (const answer of answers) stream.write(frameMessage(change.answer(answer)));
  } catch (error) {
    result = resultOf(error);
  }
  if (!stream.destroyed) stream.end();
}

async function readMessage(stream: ServerHttp2Stream): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  return Buffer.concat(chunks).subarray(PREFIX_BYTES);
}

function resultOf(error: unknown): Record<string, string | number> {
  const text = error instanceof Error ? error.message : String(error);
  const status = error instanceof GrpcFailure ? error.status : UNAVAILABLE;
  return { 'grpc-status': status, 'grpc-message': encodeURIComponent(text) };
}
