import type { MissingReference } from '../environment/keyed-data.ts';
import type { VolumePlugin } from './pod-folders.ts';

/** One file of a volume. */
export interface VolumeFile {
  /** Relative to the volume, with slashes. */
  readonly path: string;
  readonly content: Uint8Array;
  readonly mode: number;
  /** The user who owns the file, if it is not the agent's. */
  readonly uid?: number;
}

/** The group that gets access to a volume, and when its files are looked at. */
export interface VolumeOwnership {
  readonly fsGroup: number;
  readonly policy: 'Always' | 'OnRootMismatch';
}

/** A volume of files that the agent writes, all at once. */
export interface FilesVolume {
  readonly kind: 'files';
  readonly name: string;
  readonly plugin: VolumePlugin;
  /** Below the folder of the pod. */
  readonly folder: string;
  readonly medium: 'disk' | 'memory';
  readonly files: readonly VolumeFile[];
  readonly ownership?: VolumeOwnership;
  /** Whether the content never changes. */
  readonly immutable: boolean;
  /** What does not exist: without it the volume is not ready. */
  readonly missing: readonly MissingReference[];
}

/** A folder that lives as long as its pod. */
export interface EmptyVolume {
  readonly kind: 'empty-dir';
  readonly name: string;
  readonly folder: string;
  readonly medium: 'disk' | 'memory';
  /** The size of a volume in memory; on a disk, what it may use before the pod is evicted. */
  readonly sizeBytes?: number;
  readonly ownership?: VolumeOwnership;
}

/** A file or folder of the machine. */
export interface HostVolume {
  readonly kind: 'host-path';
  readonly name: string;
  readonly path: string;
  readonly check: HostPathType;
  readonly readOnly: boolean;
}

/** What has to be found, or is created, at the path of the machine. */
export type HostPathType =
  | ''
  | 'DirectoryOrCreate'
  | 'Directory'
  | 'FileOrCreate'
  | 'File'
  | 'Socket'
  | 'CharDevice'
  | 'BlockDevice';

/** A volume that cannot be had on this node. */
export interface RefusedVolume {
  readonly kind: 'refused';
  readonly name: string;
  readonly message: string;
}

/** A volume that waits for something that does not exist. */
export interface MissingVolume {
  readonly kind: 'missing';
  readonly name: string;
  readonly missing: MissingReference;
}

/** What the agent has to do for a volume. */
export type VolumePlan = FilesVolume | EmptyVolume | HostVolume | MissingVolume | RefusedVolume;
