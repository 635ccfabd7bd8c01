import {
  emptyRequest,
  idRequest,
  type PodContainer,
  type PodSandbox,
  readConditions,
  readContainers,
  readSandboxes,
  readVersion,
  type RuntimeCondition,
  type RuntimeVersion,
  stopContainerRequest,
} from '@fenestra/contracts';
import { within } from '@fenestra/platform';
import { socketPathOf } from './endpoint.ts';
import { type GrpcChannel, openGrpcChannel } from './grpc-channel.ts';
import { GRPC_STATUS, hasStatus } from './grpc-failure.ts';

/** The versions of the interface that differ in nothing but their name. Kubernetes itself gave up the older one. */
export type CriVersion = 'v1' | 'v1alpha2';

/** A container runtime that answered. Stopping and removing what is gone already succeeds. */
export interface ContainerRuntime {
  readonly speaks: CriVersion;
  readonly version: RuntimeVersion;
  conditions(signal: AbortSignal): Promise<readonly RuntimeCondition[]>;
  sandboxes(signal: AbortSignal): Promise<readonly PodSandbox[]>;
  containers(signal: AbortSignal): Promise<readonly PodContainer[]>;
  stopContainer(id: string, graceSeconds: number, signal: AbortSignal): Promise<void>;
  removeContainer(id: string, signal: AbortSignal): Promise<void>;
  /** Ends whatever still runs in the sandbox by force. */
  stopSandbox(id: string, signal: AbortSignal): Promise<void>;
  /** Removes the sandbox with the containers in it. */
  removeSandbox(id: string, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** How long a runtime may think about a question, and about work: ending processes, networks and mounts takes its time. */
const ANSWER_MS = 10_000;
const WORK_MS = 60_000;

/** Connects to the runtime at an endpoint and asks who it is. Failures are those of `diagnose`. */
export async function openRuntime(endpoint: string, signal: AbortSignal): Promise<ContainerRuntime> {
  const channel = openGrpcChannel(socketPathOf(endpoint));
  try {
    return runtimeOver(channel, await introduce(channel, signal));
  } catch (error) {
    channel.close();
    throw error;
  }
}

type Introduction = Pick<ContainerRuntime, 'speaks' | 'version'>;

async function introduce(channel: GrpcChannel, signal: AbortSignal): Promise<Introduction> {
  try {
    return await introduceAs('v1', channel, signal);
  } catch (error) {
    if (!hasStatus(error, GRPC_STATUS.UNIMPLEMENTED)) throw error;
    return introduceAs('v1alpha2', channel, signal);
  }
}

async function introduceAs(speaks: CriVersion, channel: GrpcChannel, signal: AbortSignal): Promise<Introduction> {
  const answer = await channel.call(methodOf(speaks, 'Version'), emptyRequest(), within(ANSWER_MS, signal));
  return { speaks, version: readVersion(answer) };
}

function runtimeOver(channel: GrpcChannel, introduction: Introduction): ContainerRuntime {
  async function ask(method: string, signal: AbortSignal): Promise<Uint8Array> {
    return channel.call(methodOf(introduction.speaks, method), emptyRequest(), within(ANSWER_MS, signal));
  }

  async function order(method: string, request: Uint8Array, signal: AbortSignal): Promise<void> {
    try {
      await channel.call(methodOf(introduction.speaks, method), request, signal);
    } catch (error) {
      if (!hasStatus(error, GRPC_STATUS.NOT_FOUND)) throw error;
    }
  }

  return {
    ...introduction,
    conditions: async (signal) => readConditions(await ask('Status', signal)),
    sandboxes: async (signal) => readSandboxes(await ask('ListPodSandbox', signal)),
    containers: async (signal) => readContainers(await ask('ListContainers', signal)),
    stopContainer: async (id, graceSeconds, signal) =>
      order('StopContainer', stopContainerRequest(id, graceSeconds), within(graceSeconds * 1000 + WORK_MS, signal)),
    removeContainer: async (id, signal) => order('RemoveContainer', idRequest(id), within(WORK_MS, signal)),
    stopSandbox: async (id, signal) => order('StopPodSandbox', idRequest(id), within(WORK_MS, signal)),
    removeSandbox: async (id, signal) => order('RemovePodSandbox', idRequest(id), within(WORK_MS, signal)),
    close: () => channel.close(),
  };
}

function methodOf(speaks: CriVersion, method: string): string {
  return `runtime.${speaks}.RuntimeService/${method}`;
}
