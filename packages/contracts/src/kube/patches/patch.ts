/** What patches for a kubelet's configuration are called after. */
export const KUBELET_TARGET = 'kubeletconfiguration';

/** A file of the folder of patches. */
export interface PatchFile {
  /** As the folder has it; below a folder of its own, with the path. */
  readonly name: string;
  readonly text: string;
}

/** How a patch is laid over what it changes. */
export type PatchType = 'strategic' | 'merge' | 'json';

/** One document of a patch file. */
export interface Patch {
  /** The file it comes from. */
  readonly source: string;
  readonly target: string;
  readonly type: PatchType;
  readonly content: unknown;
}

/** The patches of a folder, in the order they count, and what was passed over. */
export interface PatchReading {
  readonly patches: readonly Patch[];
  readonly warnings: readonly string[];
}
