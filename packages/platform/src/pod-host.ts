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

/** What the memory of the machine offers to pods. */
export interface MemoryFacts {
  readonly totalBytes: number;
  /** What is free, or can be freed at once. */
  readonly availableBytes: number;
}

/** How many processes there can be, and how many there are. */
export interface ProcessFacts {
  readonly limit: number;
  readonly running: number;
}

/** A folder whose content is in memory only. */
export interface MemoryFolder {
  readonly path: string;
  /** The permission bits and the group that it begins with. */
  readonly mode: number;
  readonly gid?: number;
  readonly sizeBytes?: number;
}

/** A part of a volume, for a container that gets only this part. */
export interface VolumePart {
  /** The folder of the volume. */
  readonly volume: string;
  /** Relative to the volume, with slashes. Containers may have put links anywhere on it. */
  readonly path: string;
  /** A path of the agent's own where the part can be held. */
  readonly target: string;
  /** Whether folders that are missing are made. */
  readonly create: boolean;
}

/**
 * What running pods takes from the operating system besides a container runtime. Every method is idempotent. A system
 * without control groups or file systems in memory has no limits for a pod as a whole, and plain folders.
 */
export interface PodHost {
  /** Whether files keep permission bits. */
  readonly keepsModes: boolean;
  machine(): Promise<PodMachine>;
  /** Keeps the accounts of the machine out of a folder. Containers can use what is mounted for them from it. */
  protectFolder(path: string): Promise<void>;
  memory(): Promise<MemoryFacts>;
  /** `undefined` where the system has no limit of processes. */
  processes(): Promise<ProcessFacts | undefined>;
  /** Makes a folder in memory. One that exists already stays as it is, with its content. */
  createMemoryFolder(folder: MemoryFolder, signal: AbortSignal): Promise<void>;
  /**
   * Makes a link to a folder beside it, named relative to the link, in place of the link that is there. Returns false,
   * with nothing made, on a file system without links.
   */
  linkFolder(link: string, target: string): Promise<boolean>;
  /**
   * Returns the path to mount for a part of a volume. Links are followed as long as they stay in the volume, also while
   * a container changes them; throws `UNSAFE_PATH` if one leads out of it. Where the system can hold the part, nothing
   * that takes its place later is mounted instead, until the folder of the target is removed.
   */
  openVolumePart(part: VolumePart, signal: AbortSignal): Promise<string>;
  /** Removes a folder. Whatever is mounted in it is unmounted first and not touched otherwise. */
  removeFolder(path: string, signal: AbortSignal): Promise<void>;
  /** Gives a file or folder to a user or a group. A link is not followed. */
  setOwner(path: string, owner: { readonly uid?: number; readonly gid?: number }): Promise<void>;
  createPodCgroup(limits: PodCgroupLimits): Promise<void>;
  removePodCgroup(path: string): Promise<void>;
  /** The paths of the control groups of all pods. */
  listPodCgroups(): Promise<readonly string[]>;
}
