import {
  ContainerStatusResponseSchema,
  type CreateContainerRequest,
  CreateContainerRequestSchema,
  CreateContainerResponseSchema,
  PullImageRequestSchema,
  RunPodSandboxRequestSchema,
} from '@fenestra/cri/messages';
import { decode, encode } from '../../../packages/cri/src/codec.ts';
import { makeLinuxContainer, makeLinuxSandbox, makeWindowsStatus } from './linux-request.ts';

/** What is done to one call: to its message before that is passed on, and to the answer. */
export interface Change {
  readonly request: (message: Uint8Array) => Uint8Array;
  readonly answer: (message: Uint8Array) => Uint8Array;
}

/** What the agent asked for, unchanged, by the ids of the containers. */
type Containers = Map<string, CreateContainerRequest>;

const same = (message: Uint8Array): Uint8Array => message;
const UNCHANGED: Change = { request: same, answer: same };

/** What is done to a call of a method, for a node whose `C:\var` is a folder of this machine. */
export function changeOf(method: string, containers: Containers, varFolder: string): Change {
  switch (method) {
    case 'RunPodSandbox':
      return { ...UNCHANGED, request: (message) => sandboxRequest(message, varFolder) };
    case 'PullImage':
      return { ...UNCHANGED, request: (message) => imageRequest(message, varFolder) };
    case 'CreateContainer':
      return containerChange(containers, varFolder);
    case 'ContainerStatus':
      return { ...UNCHANGED, answer: (message) => statusAnswer(message, containers, varFolder) };
    default:
      return UNCHANGED;
  }
}

function sandboxRequest(message: Uint8Array, varFolder: string): Uint8Array {
  const request = decode(RunPodSandboxRequestSchema, message);
  makeLinuxSandbox(request.config, varFolder);
  return encode(RunPodSandboxRequestSchema, request);
}

function imageRequest(message: Uint8Array, varFolder: string): Uint8Array {
  const request = decode(PullImageRequestSchema, message);
  makeLinuxSandbox(request.sandboxConfig, varFolder);
  return encode(PullImageRequestSchema, request);
}

function containerChange(containers: Containers, varFolder: string): Change {
  let original: CreateContainerRequest | undefined;
  return {
    request(message) {
      original = decode(CreateContainerRequestSchema, message);
      const request = decode(CreateContainerRequestSchema, message);
      makeLinuxContainer(request, varFolder);
      return encode(CreateContainerRequestSchema, request);
    },
    answer(message) {
      if (original !== undefined) containers.set(decode(CreateContainerResponseSchema, message).containerId, original);
      return message;
    },
  };
}

function statusAnswer(message: Uint8Array, containers: Containers, varFolder: string): Uint8Array {
  const response = decode(ContainerStatusResponseSchema, message);
  const { status } = response;
  const mounts = containers.get(status?.id ?? '')?.config?.mounts ?? [];
  if (status !== undefined) makeWindowsStatus(status, mounts, varFolder);
  return encode(ContainerStatusResponseSchema, response);
}
