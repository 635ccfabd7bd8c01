import type { MessageInitShape } from '@bufbuild/protobuf';
import type { CriVersion } from './calls.ts';
import type {
  AttachRequestSchema,
  AuthConfigSchema,
  Container,
  ContainerConfigSchema,
  ContainerEventResponse,
  ContainerFilterSchema,
  ContainerStats,
  ContainerStatsFilterSchema,
  ContainerStatus,
  ExecRequestSchema,
  ExecSyncResponse,
  Image,
  ImageFsInfoResponse,
  ImageSpecSchema,
  PodSandbox,
  PodSandboxConfigSchema,
  PodSandboxFilterSchema,
  PodSandboxStats,
  PodSandboxStatsFilterSchema,
  PodSandboxStatus,
  PortForwardRequestSchema,
  RuntimeCondition,
  RuntimeHandler,
} from './messages.ts';
import type { RuntimeSettings } from './runtime-settings.ts';

/** What a sandbox or a container is to be. Wide numbers, such as limits in bytes and times in nanoseconds, are `bigint`. */
export type PodSandboxConfigInit = MessageInitShape<typeof PodSandboxConfigSchema>;
export type ContainerConfigInit = MessageInitShape<typeof ContainerConfigSchema>;
export type ImageSpecInit = MessageInitShape<typeof ImageSpecSchema>;
export type AuthConfigInit = MessageInitShape<typeof AuthConfigSchema>;

/** Which of them a list is to contain; without anything, all. */
export type PodSandboxFilterInit = MessageInitShape<typeof PodSandboxFilterSchema>;
export type ContainerFilterInit = MessageInitShape<typeof ContainerFilterSchema>;
export type PodSandboxStatsFilterInit = MessageInitShape<typeof PodSandboxStatsFilterSchema>;
export type ContainerStatsFilterInit = MessageInitShape<typeof ContainerStatsFilterSchema>;

/** What a stream is to be connected to. */
export type ExecRequestInit = MessageInitShape<typeof ExecRequestSchema>;
export type AttachRequestInit = MessageInitShape<typeof AttachRequestSchema>;
export type PortForwardRequestInit = MessageInitShape<typeof PortForwardRequestSchema>;

/** Who answers at an endpoint. */
export interface RuntimeVersion {
  /** `containerd`, `cri-o`. */
  readonly name: string;
  /** `1.6.20`. */
  readonly version: string;
  readonly speaks: CriVersion;
}

/** What a runtime says about itself. Of the conditions only `RuntimeReady` and `NetworkReady` count. */
export interface RuntimeHealth {
  readonly conditions: readonly RuntimeCondition[];
  /** Empty before containerd 2. */
  readonly handlers: readonly RuntimeHandler[];
}

/**
 * A container runtime: the calls of the Container Runtime Interface. Each has its own deadline. It fails with `TIMED_OUT`
 * or `INTERRUPTED`, with `GrpcFailure` if the runtime refuses, with `ConnectionLost`, or as `connect` does; `diagnose` puts
 * all of them into words. After a lost connection the next call makes a new one.
 */
export interface ContainerRuntime {
  /** Finds out which version of the interface the runtime has, and speaks that from now on; before it is asked, `v1`. */
  version(signal: AbortSignal): Promise<RuntimeVersion>;
  status(signal: AbortSignal): Promise<RuntimeHealth>;
  /** What containerd says of its configuration. Other runtimes say less, or nothing. */
  settings(signal: AbortSignal): Promise<RuntimeSettings>;
  /** `undefined` if the runtime does not say: containerd before 2.0. */
  cgroupDriver(signal: AbortSignal): Promise<'systemd' | 'cgroupfs' | undefined>;

  /** Makes a sandbox with its network, and returns its id. */
  runSandbox(config: PodSandboxConfigInit, handler: string, signal: AbortSignal): Promise<string>;
  /** Ends what runs in it by force, and takes its network down. One that is gone is stopped already. */
  stopSandbox(id: string, signal: AbortSignal): Promise<void>;
  /** Removes it with the containers in it. One that is gone is removed already. */
  removeSandbox(id: string, signal: AbortSignal): Promise<void>;
  /** `undefined` if there is no such sandbox. */
  sandboxStatus(id: string, signal: AbortSignal): Promise<PodSandboxStatus | undefined>;
  listSandboxes(filter: PodSandboxFilterInit, signal: AbortSignal): Promise<readonly PodSandbox[]>;

  /** Makes a container, and returns its id. The last config is the one that the sandbox was made with. */
  createContainer(
    sandboxId: string,
    config: ContainerConfigInit,
    sandboxConfig: PodSandboxConfigInit,
    signal: AbortSignal,
  ): Promise<string>;
  startContainer(id: string, signal: AbortSignal): Promise<void>;
  /** Kills it once the grace is over. One that is gone is stopped already. */
  stopContainer(id: string, graceSeconds: number, signal: AbortSignal): Promise<void>;
  /** One that is gone is removed already. */
  removeContainer(id: string, signal: AbortSignal): Promise<void>;
  /** `undefined` if there is no such container. */
  containerStatus(id: string, signal: AbortSignal): Promise<ContainerStatus | undefined>;
  /** A list has no exit codes. */
  listContainers(filter: ContainerFilterInit, signal: AbortSignal): Promise<readonly Container[]>;
  /** Makes the runtime open the log file again after it was renamed. */
  reopenLog(id: string, signal: AbortSignal): Promise<void>;

  /**
   * Runs a command until it ends. Its own limit, which 0 seconds removes, is `GrpcFailure` with `DEADLINE_EXCEEDED`, a
   * missing program `UNKNOWN`.
   */
  execSync(
    id: string,
    command: readonly string[],
    timeoutSeconds: number,
    signal: AbortSignal,
  ): Promise<ExecSyncResponse>;
  /** The address of a stream, good for one connection within a minute. */
  exec(request: ExecRequestInit, signal: AbortSignal): Promise<string>;
  attach(request: AttachRequestInit, signal: AbortSignal): Promise<string>;
  portForward(request: PortForwardRequestInit, signal: AbortSignal): Promise<string>;

  containerStats(filter: ContainerStatsFilterInit, signal: AbortSignal): Promise<readonly ContainerStats[]>;
  sandboxStats(filter: PodSandboxStatsFilterInit, signal: AbortSignal): Promise<readonly PodSandboxStats[]>;

  listImages(signal: AbortSignal): Promise<readonly Image[]>;
  /** `undefined` if there is no such image. */
  imageStatus(image: ImageSpecInit, signal: AbortSignal): Promise<Image | undefined>;
  /** Takes as long as it needs while the runtime answers. Returns the image's id, `sha256:…`. */
  pullImage(
    image: ImageSpecInit,
    auth: AuthConfigInit | undefined,
    sandboxConfig: PodSandboxConfigInit,
    signal: AbortSignal,
  ): Promise<string>;
  /** Removes it with all its tags, even while containers run from it. One that is gone is removed already. */
  removeImage(image: ImageSpecInit, signal: AbortSignal): Promise<void>;
  imageFsInfo(signal: AbortSignal): Promise<ImageFsInfoResponse>;

  /**
   * What happens to containers and sandboxes, over a separate connection. It never ends by itself: it fails with
   * `ConnectionLost` when the stream breaks, and with `UNIMPLEMENTED` before containerd 1.7. Events can be old or missing,
   * so they say when to look and not what there is.
   */
  events(signal: AbortSignal): AsyncIterable<ContainerEventResponse>;
  /** Ends the connection. Calls under way fail with `ConnectionLost`; event streams end with their own signal. */
  close(): void;
}
