import { connect } from 'node:http2';
import { createConnection } from 'node:net';
import { bytesField, joinFields, mapField, numberField, readFields, textField, textOf } from '@fenestra/contracts';
import { TEST_IMAGE } from '../../support/beds/containerd-bed.ts';

/** A pod to be made. */
export interface PodWish {
  readonly namespace: string;
  readonly name: string;
  /** Names of its containers. */
  readonly containers: readonly string[];
  /** Whether it gets the labels that a kubelet puts on everything of its own. */
  readonly labelled: boolean;
}

/** The ids of what was made. */
export interface MadePod {
  readonly sandbox: string;
  readonly containers: readonly string[];
}

/** The host's own network, so that no network plugin is needed. */
const NODE_NETWORK = 2;
const LIMIT_MS = 30_000;
const PREFIX_BYTES = 5;

/** Makes pods the way a kubelet does: a sandbox, containers in it, each with the labels. */
export async function makePod(endpoint: string, wish: PodWish): Promise<MadePod> {
  const config = sandboxConfig(wish);
  const sandbox = await call(endpoint, 'RunPodSandbox', bytesField(1, config));
  const containers: string[] = [];
  for (const name of wish.containers) {
    const request = joinFields(
      textField(1, sandbox),
      bytesField(2, containerConfig(wish, name)),
      bytesField(3, config),
    );
    const container = await call(endpoint, 'CreateContainer', request);
    await call(endpoint, 'StartContainer', textField(1, container));
    containers.push(container);
  }
  return { sandbox, containers };
}

function sandboxConfig(wish: PodWish): Uint8Array {
  const metadata = joinFields(textField(1, wish.name), textField(2, uidOf(wish)), textField(3, wish.namespace));
  const security = bytesField(1, numberField(1, NODE_NETWORK));
  const linux = bytesField(2, security);
  return joinFields(bytesField(1, metadata), mapField(6, labelsOf(wish)), bytesField(8, linux));
}

function containerConfig(wish: PodWish, name: string): Uint8Array {
  const labels = mapField(9, labelsOf(wish));
  return joinFields(bytesField(1, textField(1, name)), bytesField(2, textField(1, TEST_IMAGE)), labels);
}

function labelsOf(wish: PodWish): Readonly<Record<string, string>> {
  if (!wish.labelled) return { 'made-by': 'somebody else' };
  return {
    'io.kubernetes.pod.name': wish.name,
    'io.kubernetes.pod.namespace': wish.namespace,
    'io.kubernetes.pod.uid': uidOf(wish),
  };
}

function uidOf({ namespace, name }: PodWish): string {
  return `uid-of-${namespace}-${name}`;
}

/** One gRPC call; every answer here that has anything in it has an id. */
async function call(endpoint: string, method: string, message: Uint8Array): Promise<string> {
  const session = connect('http://localhost', {
    createConnection: () => createConnection(endpoint.replace('unix://', '')),
  });
  try {
    const stream = session.request(
      { ':method': 'POST', ':path': `/runtime.v1.RuntimeService/${method}`, 'content-type': 'application/grpc' },
      { signal: AbortSignal.timeout(LIMIT_MS) },
    );
    let told: Readonly<Record<string, unknown>> = {};
    stream.on('response', (headers) => (told = { ...told, ...headers }));
    stream.on('trailers', (headers) => (told = { ...told, ...headers }));
    const prefix = Buffer.alloc(PREFIX_BYTES);
    prefix.writeUInt32BE(message.length, 1);
    stream.end(Buffer.concat([prefix, message]));
    const chunks: Buffer[] = await stream.toArray();
    if (told['grpc-status'] !== '0') throw new Error(`${method}: ${String(told['grpc-message'])}`);
    return textOf(readFields(Buffer.concat(chunks).subarray(PREFIX_BYTES)), 1);
  } finally {
    session.destroy();
  }
}
