/** Everyone may run a program; what it must not be is writable. */
export const EXECUTABLE_MODE = 0o755;

/** What a finished copy can prove about itself. */
export interface CopyResult {
  readonly bytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** The options of a copy. */
export interface CopyOptions {
  readonly onProgress?: (copiedBytes: number, totalBytes: number) => void;
  /** POSIX permission bits of the copy; Windows ignores them. Default 0o600. */
  readonly mode?: number;
}

/** The options of a replacement. */
export interface ReplaceOptions {
  /** POSIX permission bits of the new file; Windows ignores them. Default 0o600. */
  readonly mode?: number;
}

/**
 * File operations that survive a power cut: when a method returns, its effect is on the disk.
 * Failures are catalogue errors (`DISK_FULL`, `READ_ONLY`, `ACCESS_DENIED`, `FILE_IN_USE`, …).
 */
export interface FileStore {
  /** Puts the content in place in one move: a reader sees the old file or the new one, whole. */
  replace(path: string, content: string | Uint8Array, options?: ReplaceOptions): Promise<void>;
  /** Renames, replacing what is at `to`. A program running from `from` goes on running. */
  move(from: string, to: string): Promise<void>;
  /**
   * Puts `from` in the place of `to` although a program may be running from `to`:
   * the old file is set aside under the returned path, where it stays until no one uses it.
   */
  replaceInUse(from: string, to: string): Promise<{ readonly setAside: string | undefined }>;
  /**
   * Copies by way of `<to>.partial`, so that `to` is never half there. What a copy that was cut off leaves there, the
   * next one to the same place uses up. One copy to a place at a time.
   */
  copy(from: string, to: string, options: CopyOptions, signal: AbortSignal): Promise<CopyResult>;
  syncFile(path: string): Promise<void>;
  syncFolder(path: string): Promise<void>;
  /** Creates the folder and its parents; returns the topmost folder it had to create, if any. */
  createFolder(path: string): Promise<string | undefined>;
  /**
   * Deletes a folder or file and everything below it, and nothing else: links are removed, never followed.
   * `root` bounds it: a path that is not strictly inside `root` is refused with `UNSAFE_PATH`. An absent path is fine.
   */
  removeTree(path: string, root: string, signal: AbortSignal): Promise<void>;
}
