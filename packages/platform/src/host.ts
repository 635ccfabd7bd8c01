import type { ProcessIdentity } from '@fenestra/kernel';

export type { ProcessIdentity };

/** One mounted disk that holds a path of interest. */
export interface DiskFacts {
  readonly path: string;
  readonly totalBytes: number;
  readonly freeBytes: number;
  /** How many files there can be, and how many more; absent where the file system has no such limit. */
  readonly inodes?: { readonly total: number; readonly free: number };
}

/** A container runtime's socket or pipe that was found. */
export interface RuntimeEndpoint {
  readonly runtime: 'containerd' | 'cri-o' | 'docker' | 'cri-dockerd';
  /** As a CRI client takes it: `unix:///run/containerd/containerd.sock`, `npipe:////./pipe/containerd-containerd`. */
  readonly endpoint: string;
}

/** The system's idea of time. */
export interface ClockFacts {
  readonly now: Date;
  /** Whether something keeps the clock right; `undefined` where the system does not say. */
  readonly synchronized: boolean | undefined;
}

/** What the machine is. Reading it changes nothing. */
export interface HostFacts {
  readonly os: 'linux' | 'windows';
  /** For people: `Debian GNU/Linux 12 (bookworm)`, `Windows Server 2022 Datacenter`. */
  readonly osName: string;
  /** `12`, `10.0.20348`. */
  readonly osVersion: string;
  /** Windows build number or Linux kernel release. */
  readonly build: string;
  /** `Datacenter`, `Professional`, …; Linux: the distribution's id, such as `debian`. */
  readonly edition: string;
  readonly arch: 'x64' | 'arm64' | 'other';
  readonly hostName: string;
  readonly totalMemoryBytes: number;
  readonly freeMemoryBytes: number;
  readonly bootId: string;
  readonly elevated: boolean;
  /** `systemd`, `scm`, or `none` where our own supervisor manages services. */
  readonly serviceManager: 'systemd' | 'scm' | 'none';
  readonly runtimes: readonly RuntimeEndpoint[];
  readonly clock: ClockFacts;
}

/** The machine this program runs on. */
export interface Host {
  facts(): Promise<HostFacts>;
  /** The disk that holds `path`, or would: the nearest existing parent counts. */
  disk(path: string): Promise<DiskFacts>;
  /** Whether a TCP port on loopback and on all addresses is free to listen on. */
  portFree(port: number): Promise<boolean>;
  /** `startedAt` is the system's own mark of when this process began, comparable only with others from the same system. */
  self(): Promise<ProcessIdentity>;
  /** Whether exactly this process still runs. */
  isAlive(process: ProcessIdentity): Promise<boolean>;
  /** Throws `PRIVILEGE_REQUIRED`, naming the missing right and how to get it. `action` completes "… needs". */
  requireElevation(action: string): Promise<void>;
}
