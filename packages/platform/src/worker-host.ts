import type { ServiceState } from './service-manager.ts';

/** What a Linux machine is, as far as only a kubelet cares. */
export interface LinuxWorkerFacts {
  readonly os: 'linux';
  /** Swap that is in use; a kubelet refuses to start with it unless told otherwise. */
  readonly swap: readonly string[];
  /** Of the programs a kubelet calls, those that are not in the PATH. */
  readonly missingPrograms: readonly string[];
  /** Whether IPv4 packets are passed on; `undefined` where the system does not say. */
  readonly forwarding: boolean | undefined;
  readonly cgroups: 'v1' | 'v2' | 'none';
}

/** What a Windows machine is, as far as only a kubelet cares. */
export interface WindowsWorkerFacts {
  readonly os: 'windows';
  /** `C:`. */
  readonly systemDrive: string;
  readonly build: number;
  /** Whether the Containers feature is on; `undefined` where the system does not say. */
  readonly containersFeature: boolean | undefined;
  /** The Host Networking Service. */
  readonly networkService: ServiceState;
  /** containerd as a service; `absent` where it is not registered. */
  readonly containerdService: ServiceState;
  /** The drive this program runs from. */
  readonly programDrive: string;
}

/** What only a plain Kubernetes worker wants to know of its machine. Reading it changes nothing. */
export type WorkerHostFacts = LinuxWorkerFacts | WindowsWorkerFacts;
