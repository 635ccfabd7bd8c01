/**
 * The containers of Windows pods are made as Linux ones in a real containerd. This server stands between the agent and
 * containerd. It changes four messages, as `linux-request.ts` says, and passes all others on as they are.
 */
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { GrpcFailure, socketPathOf } from '@fenestra/cri';
import {
  ContainerStatusResponseSchema,
  type CreateContainerRequest,
  CreateContainerRequestSchema,
  CreateContainerResponseSchema,
  PullImageRequestSchema,
  type RunPodSandboxRequest,
  RunPodSandboxRequestSchema,
} from '@fenestra/cri/messages';
import { startTestServer } from '@fenestra/cri/testing/test-runtime';
import { decode, encode } from '../../../packages/cri/src/codec.ts';
import { openGrpcChannel } from '../../../packages/cri/src/grpc/channel.ts';
import { frameMessage } from '../../../packages/cri/src/grpc/frames.ts';
import { makeLinuxContainer, makeLinuxSandbox, makeWindowsStatus } from './linux-request.ts';

/** A server for the agent of a Windows node. */
export interface PodBridge extends AsyncDisposable {
  /** The socket it listens on. */
  readonly path: string;
  /** What the agent asked for, unchanged. */
  readonly sandboxes: readonly RunPodSandboxRequest[];
  readonly containers: ReadonlyMap<string, CreateContainerRequest>;
}

/** What is done to a call: to the message before it is passed on, and to the answer. */
interface Change {
  readonly request: (message: Uint8Array) => Uint8Array;
  readonly answer: (message: Uint8Array) => Uint8Array;
}

const UNAVAILABLE = 14;
const PREFIX_BYTES = 5;
const same = (message: Uint8Array): Uint8Array => message;

/** Starts a bridge to a containerd, for a node whose `C:\var` is a folder of this machine. */
export async function startPodBridge(endpoint: string, varFolder: string): Promise<PodBridge> {
  const sandboxes: RunPodSandboxRequest[] = [];
  const containers = new Map<string, CreateContainerRequest>();
  const channel = openGrpcChannel({ path: socketPathOf(endpoint) });

  const changes: Readonly<Record<string, () => Change>> = {
    RunPodSandbox: () => ({
      request(message) {
        const asked = decode(RunPodSandboxRequestSchema, message);
        sandboxes.push(decode(RunPodSandboxRequestSchema, message));
        makeLinuxSandbox(asked.config, varFolder);
        return encode(RunPodSandboxRequestSchema, asked);
      },
      answer: same,
    }),
    PullImage: () => ({
      request(message) {
        const asked = decode(PullImageRequestSchema, message);
        makeLinuxSandbox(asked.sandboxConfig, varFolder);
        return encode(PullImageRequestSchema, asked);
      },
      answer: same,
    }),
    CreateContainer() {
      let original: CreateContainerRequest;
      return {
        request(message) {
          const asked = decode(CreateContainerRequestSchema, message);
          original = decode(CreateContainerRequestSchema, message);
          makeLinuxContainer(asked, varFolder);
          return encode(CreateContainerRequestSchema, asked);
        },
        answer(message) {
          containers.set(decode(CreateContainerResponseSchema, message).containerId, original);
          return message;
        },
      };
    },
    ContainerStatus: () => ({
      request: same,
      answer(message) {
        const response = decode(ContainerStatusResponseSchema, message);
        const { status } = response;
        const mounts = containers.get(status?.id ?? '')?.config?.mounts ?? [];
        if (status !== undefined) makeWindowsStatus(status, mounts, varFolder);
        return encode(ContainerStatusResponseSchema, response);
      },
    }),
  };

  async function carry(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
    const method = String(headers[':path']).slice(1);
    const { request, answer } = changes[method.split('/')[1] ?? '']?.() ?? { request: same, answer: same };
    const ending = new AbortController();
    stream.on('close', () => ending.abort());
    const message = await readMessage(stream);
    let result: Record<string, string | number> = { 'grpc-status': 0 };
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers(result));
    try {
      for await (const each of channel.stream(method, request(message), ending.signal)) {
        stream.write(frameMessage(answer(each)));
      }
    } catch (error) {
      result = resultOf(error);
    }
    if (!stream.destroyed) stream.end();
  }

  const server = await startTestServer((stream, headers) => {
    carry(stream, headers).catch(() => stream.destroy());
  });
  return {
    path: socketPathOf(server.endpoint),
    sandboxes,
    containers,
    async [Symbol.asyncDispose]() {
      channel.close();
      await server[Symbol.asyncDispose]();
    },
  };
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
