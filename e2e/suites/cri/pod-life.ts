import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  connectRuntime,
  type ContainerConfigInit,
  type ContainerRuntime,
  type PodSandboxConfigInit,
} from '@fenestra/cri';
import {
  type ContainerConfig,
  ContainerState,
  type ContainerStatus,
  NamespaceMode,
  type PodSandboxConfig,
} from '@fenestra/cri/messages';
import { isShortRun } from '../../support/reporting/short-run.ts';
import { type ContainerdRelease, type PodRuntime, startPodRuntime } from '../../support/beds/pod-runtime.ts';
import { POD_IMAGE } from '../../support/beds/test-images.ts';

/** The releases of Debian with a containerd of another line each: 1.6 in Debian 12, 1.7 in trixie, 2 in sid. */
export const RELEASES: readonly ContainerdRelease[] = isShortRun() ? ['installed'] : ['installed', 'trixie', 'sid'];

/** What a test adds to what every container and every sandbox has. */
type MoreOfContainer = Exclude<ContainerConfigInit, ContainerConfig>;
type MoreOfSandbox = Exclude<PodSandboxConfigInit, PodSandboxConfig>;

/** A pod of a test. */
export interface TestPod {
  readonly sandbox: string;
  readonly config: PodSandboxConfigInit;
  /** Makes a container that runs a shell command, does not start it, and returns its id. */
  create(name: string, script: string, more?: MoreOfContainer): Promise<string>;
  /** The same, and starts it. */
  run(name: string, script: string, more?: MoreOfContainer): Promise<string>;
  remove(): Promise<void>;
}

/** A runtime with a client of it. */
export interface ConnectedBed extends PodRuntime {
  readonly runtime: ContainerRuntime;
  /** Runs a sandbox with an ordinary pod's namespaces. */
  pod(name: string, more?: MoreOfSandbox): Promise<TestPod>;
}

/** Starts containerd and connects to it. */
export async function startConnected(release: ContainerdRelease, signal: AbortSignal): Promise<ConnectedBed> {
  const bed = await startPodRuntime(signal, release);
  const runtime = connectRuntime(bed.endpoint);
  return {
    ...bed,
    runtime,
    pod: async (name, more) => startPod(bed, runtime, { ...sandboxConfig(bed, name), ...more }, signal),
    async stop() {
      runtime.close();
      await bed.stop();
    },
  };
}

function sandboxConfig(bed: PodRuntime, name: string): MoreOfSandbox {
  return {
    metadata: { name, uid: `uid-of-${name}`, namespace: 'tests' },
    logDirectory: join(bed.folder, 'logs', name),
    labels: { 'io.kubernetes.pod.name': name },
    linux: { cgroupParent: `/kubepods/${name}`, securityContext: { namespaceOptions: OWN_PROCESSES } },
  };
}

/** Without it the containers of a pod share their processes, for that is the zero value. */
const OWN_PROCESSES = { pid: NamespaceMode.CONTAINER };

async function startPod(
  bed: PodRuntime,
  runtime: ContainerRuntime,
  config: MoreOfSandbox,
  signal: AbortSignal,
): Promise<TestPod> {
  const sandbox = await runtime.runSandbox(config, '', signal);
  async function create(name: string, script: string, more: MoreOfContainer = {}): Promise<string> {
    await mkdir(join(config.logDirectory ?? bed.folder, name), { recursive: true });
    const container = {
      metadata: { name },
      image: { image: POD_IMAGE },
      command: ['/bin/sh', '-c', script],
      logPath: `${name}/0.log`,
      linux: { securityContext: { namespaceOptions: OWN_PROCESSES } },
      ...more,
    };
    return runtime.createContainer(sandbox, container, config, signal);
  }
  return {
    sandbox,
    config,
    create,
    async run(name, script, more) {
      const id = await create(name, script, more);
      await runtime.startContainer(id, signal);
      return id;
    },
    async remove() {
      await runtime.stopSandbox(sandbox, signal);
      await runtime.removeSandbox(sandbox, signal);
    },
  };
}

const EXIT_MS = 30_000;

/** Waits until a container has ended, and returns what the runtime says of it then. */
export async function exited(runtime: ContainerRuntime, id: string, signal: AbortSignal): Promise<ContainerStatus> {
  const deadline = Date.now() + EXIT_MS;
  for (;;) {
    const status = await runtime.containerStatus(id, signal);
    if (status?.state === ContainerState.CONTAINER_EXITED) return status;
    if (Date.now() > deadline) throw new Error(`The container has not ended: its state is ${status?.state}`);
    await delay(20, undefined, { signal });
  }
}
