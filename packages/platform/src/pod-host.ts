/** The limits of the control group that holds all containers of a pod. */
export interface PodCgroupLimits {
  /** Below the mount of each hierarchy. */
  readonly path: string;
  readonly cpuShares: number;
  readonly cpuPeriod: number;
  readonly cpuQuota?: number;
  readonly memoryLimitBytes?: number;
}

/** What limits of containers depend on. */
export interface PodMachine {
  readonly cgroupVersion: 1 | 2;
  /** Whether the kernel counts swap for each control group. */
  readonly countsSwap: boolean;
  /** The sizes of huge pages, such as `2MB`, if they can be limited. */
  readonly hugePageSizes: readonly string[];
}

/**
 * What running pods takes from the operating system besides a container runtime. Every method is idempotent. A system
 * without control groups or file systems in memory has no limits for a pod as a whole, and plain folders.
 */
export interface PodHost {
  machine(): Promise<PodMachine>;
  /** Makes a folder whose content is in memory only, and stays in it when the folder is made again. */
  createMemoryFolder(path: string, sizeBytes: number | undefined, signal: AbortSignal): Promise<void>;
  /** Removes a folder. Whatever is mounted in it is unmounted first and not touched otherwise. */
  removeFolder(path: string, signal: AbortSignal): Promise<void>;
  /** Gives a file or folder to a user or a group. */
  setOwner(path: string, owner: { readonly uid?: number; readonly gid?: number }): Promise<void>;
  createPodCgroup(limits: PodCgroupLimits): Promise<void>;
  removePodCgroup(path: string): Promise<void>;
}
