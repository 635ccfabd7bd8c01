import { openCalls, type RuntimeCalls } from './calls.ts';
import type { ContainerRuntime, RuntimeVersion } from './container-runtime.ts';
import { readSettings } from './runtime-settings.ts';
import { ConnectionLost, GRPC_STATUS, hasStatus } from './grpc/failure.ts';

/** How long a runtime may take to report its version and its state. */
const ANSWER_MS = 10_000;
/** How long other calls may take: a busy machine needs its time for processes, networks and mounts. */
const WORK_MS = 120_000;
const SANDBOX_MS = 240_000;

/** `CgroupDriver.CGROUPFS`, without loading the description of every message. */
const CGROUPFS = 1;

/** A client of the runtime at an endpoint. The first call connects. Throws `RUNTIME_UNUSABLE` if it is not an endpoint. */
export function connectRuntime(endpoint: string): ContainerRuntime {
  const calls = openCalls(endpoint);
  return {
    version: async (signal) => readVersion(calls, signal),
    async status(signal) {
      const { status, runtimeHandlers } = await calls.call((methods) => methods.status, {}, ANSWER_MS, signal);
      return { conditions: status?.conditions ?? [], handlers: runtimeHandlers };
    },
    async settings(signal) {
      const { info } = await calls.call((methods) => methods.status, { verbose: true }, ANSWER_MS, signal);
      return readSettings(info);
    },
    cgroupDriver: async (signal) => unless(GRPC_STATUS.UNIMPLEMENTED, readCgroupDriver(calls, signal)),
    ...sandboxCalls(calls),
    ...containerCalls(calls),
    ...streamCalls(calls),
    ...imageCalls(calls),
    async *events(signal) {
      yield* calls.stream((methods) => methods.getContainerEvents, {}, signal);
      throw new ConnectionLost('it ended the event stream');
    },
    close: () => calls.close(),
  };
}

/** Lets `use` work with the runtime at an endpoint, which is asked for its version first, and closes the connection. */
export async function withRuntime<Result>(
  endpoint: string,
  use: (runtime: ContainerRuntime, version: RuntimeVersion) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const runtime = connectRuntime(endpoint);
  try {
    return await use(runtime, await runtime.version(signal));
  } finally {
    runtime.close();
  }
}

async function readVersion(calls: RuntimeCalls, signal: AbortSignal): Promise<RuntimeVersion> {
  calls.speaks = 'v1';
  try {
    return await readVersionAs(calls, signal);
  } catch (error) {
    if (!hasStatus(error, GRPC_STATUS.UNIMPLEMENTED)) throw error;
    calls.speaks = 'v1alpha2';
    return readVersionAs(calls, signal);
  }
}

async function readVersionAs(calls: RuntimeCalls, signal: AbortSignal): Promise<RuntimeVersion> {
  const { runtimeName, runtimeVersion } = await calls.call((methods) => methods.version, {}, ANSWER_MS, signal);
  return { name: runtimeName, version: runtimeVersion, speaks: calls.speaks };
}

async function readCgroupDriver(calls: RuntimeCalls, signal: AbortSignal): Promise<'systemd' | 'cgroupfs' | undefined> {
  const { linux } = await calls.call((methods) => methods.runtimeConfig, {}, ANSWER_MS, signal);
  if (linux === undefined) return undefined;
  const driver: number = linux.cgroupDriver;
  return driver === CGROUPFS ? 'cgroupfs' : 'systemd';
}

/** What a call answers, or `undefined` if the server refused it with this status. */
async function unless<Answer>(status: number, answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (!hasStatus(error, status)) throw error;
    return undefined;
  }
}

type SandboxCalls = 'runSandbox' | 'stopSandbox' | 'removeSandbox' | 'sandboxStatus' | 'listSandboxes' | 'sandboxStats';

function sandboxCalls(calls: RuntimeCalls): Pick<ContainerRuntime, SandboxCalls> {
  return {
    async runSandbox(config, runtimeHandler, signal) {
      return (await calls.call((methods) => methods.runPodSandbox, { config, runtimeHandler }, SANDBOX_MS, signal))
        .podSandboxId;
    },
    async stopSandbox(podSandboxId, signal) {
      await unless(
        GRPC_STATUS.NOT_FOUND,
        calls.call((methods) => methods.stopPodSandbox, { podSandboxId }, WORK_MS, signal),
      );
    },
    async removeSandbox(podSandboxId, signal) {
      const remove = async (): Promise<unknown> =>
        calls.call((methods) => methods.removePodSandbox, { podSandboxId }, WORK_MS, signal);
      await unless(
        GRPC_STATUS.NOT_FOUND,
        removeHeld(remove, async () => {
          const filter = { podSandboxId };
          const list = await calls.call((methods) => methods.listContainers, { filter }, WORK_MS, signal);
          for (const { id } of list.containers) await removeContainer(calls, id, signal);
        }),
      );
    },
    async sandboxStatus(podSandboxId, signal) {
      const answer = calls.call((methods) => methods.podSandboxStatus, { podSandboxId }, WORK_MS, signal);
      return (await unless(GRPC_STATUS.NOT_FOUND, answer))?.status;
    },
    async listSandboxes(filter, signal) {
      return (await calls.call((methods) => methods.listPodSandbox, { filter }, WORK_MS, signal)).items;
    },
    async sandboxStats(filter, signal) {
      return (await calls.call((methods) => methods.listPodSandboxStats, { filter }, WORK_MS, signal)).stats;
    },
  };
}

type ContainerCalls =
  | 'createContainer'
  | 'startContainer'
  | 'stopContainer'
  | 'removeContainer'
  | 'containerStatus'
  | 'listContainers'
  | 'containerStats'
  | 'reopenLog';

function containerCalls(calls: RuntimeCalls): Pick<ContainerRuntime, ContainerCalls> {
  return {
    async createContainer(podSandboxId, config, sandboxConfig, signal) {
      const request = { podSandboxId, config, sandboxConfig };
      return (await calls.call((methods) => methods.createContainer, request, WORK_MS, signal)).containerId;
    },
    async startContainer(containerId, signal) {
      await calls.call((methods) => methods.startContainer, { containerId }, WORK_MS, signal);
    },
    async stopContainer(containerId, graceSeconds, signal) {
      const request = { containerId, timeout: BigInt(graceSeconds) };
      const limitMs = graceSeconds * 1000 + WORK_MS;
      await unless(
        GRPC_STATUS.NOT_FOUND,
        calls.call((methods) => methods.stopContainer, request, limitMs, signal),
      );
    },
    removeContainer: async (containerId, signal) => removeContainer(calls, containerId, signal),
    async containerStatus(containerId, signal) {
      const answer = calls.call((methods) => methods.containerStatus, { containerId }, WORK_MS, signal);
      return (await unless(GRPC_STATUS.NOT_FOUND, answer))?.status;
    },
    async listContainers(filter, signal) {
      return (await calls.call((methods) => methods.listContainers, { filter }, WORK_MS, signal)).containers;
    },
    async containerStats(filter, signal) {
      return (await calls.call((methods) => methods.listContainerStats, { filter }, WORK_MS, signal)).stats;
    },
    async reopenLog(containerId, signal) {
      await calls.call((methods) => methods.reopenContainerLog, { containerId }, WORK_MS, signal);
    },
  };
}

/** A container that is gone is removed already. */
async function removeContainer(calls: RuntimeCalls, containerId: string, signal: AbortSignal): Promise<void> {
  const remove = async (): Promise<unknown> =>
    calls.call((methods) => methods.removeContainer, { containerId }, WORK_MS, signal);
  const release = async (): Promise<void> => {
    await unless(GRPC_STATUS.NOT_FOUND, calls.deleteTask(containerId, WORK_MS, signal));
  };
  await unless(GRPC_STATUS.NOT_FOUND, removeHeld(remove, release));
}

/**
 * Removes what containerd refuses to remove because of a task that it does not count as one of the container: one is left
 * if the client of a start goes away in the middle of it. Nothing else than a restart of containerd removes it by itself.
 */
async function removeHeld(remove: () => Promise<unknown>, release: () => Promise<void>): Promise<void> {
  try {
    await remove();
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('cannot delete running task'))) throw error;
    await release();
    await remove();
  }
}

type StreamCalls = 'execSync' | 'exec' | 'attach' | 'portForward';

function streamCalls(calls: RuntimeCalls): Pick<ContainerRuntime, StreamCalls> {
  return {
    async execSync(containerId, command, timeoutSeconds, signal) {
      const request = { containerId, cmd: [...command], timeout: BigInt(timeoutSeconds) };
      if (timeoutSeconds === 0) return calls.longCall((methods) => methods.execSync, request, signal);
      return calls.call((methods) => methods.execSync, request, timeoutSeconds * 1000 + WORK_MS, signal);
    },
    exec: async (request, signal) => (await calls.call((methods) => methods.exec, request, WORK_MS, signal)).url,
    attach: async (request, signal) => (await calls.call((methods) => methods.attach, request, WORK_MS, signal)).url,
    portForward: async (request, signal) =>
      (await calls.call((methods) => methods.portForward, request, WORK_MS, signal)).url,
  };
}

type ImageCalls = 'listImages' | 'imageStatus' | 'pullImage' | 'removeImage' | 'imageFsInfo';

function imageCalls(calls: RuntimeCalls): Pick<ContainerRuntime, ImageCalls> {
  return {
    listImages: async (signal) => (await calls.call((methods) => methods.listImages, {}, WORK_MS, signal)).images,
    imageStatus: async (image, signal) =>
      (await calls.call((methods) => methods.imageStatus, { image }, WORK_MS, signal)).image,
    async pullImage(image, auth, sandboxConfig, signal) {
      const request = { image, sandboxConfig, ...(auth && { auth }) };
      return (await calls.longCall((methods) => methods.pullImage, request, signal)).imageRef;
    },
    async removeImage(image, signal) {
      await unless(
        GRPC_STATUS.NOT_FOUND,
        calls.call((methods) => methods.removeImage, { image }, WORK_MS, signal),
      );
    },
    imageFsInfo: async (signal) => calls.call((methods) => methods.imageFsInfo, {}, WORK_MS, signal),
  };
}
