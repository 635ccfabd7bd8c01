/** Whether a path is private, and if not, why, in words for the operator. */
export interface AccessReport {
  readonly private: boolean;
  readonly problems: readonly string[];
}

/** What a privileged command uses a path for: to keep a node in, to read or run, to write something to. */
export type PathUse = 'node' | 'input' | 'output';

/**
 * Who may touch a file. *Private* means: the system and its administrators, no one else
 * (root on Linux; SYSTEM and Administrators, owned by SYSTEM, nothing inherited, on Windows).
 */
export interface AccessControl {
  /** Makes a file, or a folder and whatever is created in it later, private. */
  makePrivate(path: string): Promise<void>;
  /** Reads the rights back from the system. */
  inspect(path: string): Promise<AccessReport>;
  /**
   * Why another account could change what is at this path or lead it elsewhere, in words, as far as the system tells.
   * Nothing for an account without privileges, which endangers only itself, and for a path that is missing, unless
   * another account could create it before the node is kept there or the input is read.
   */
  exposures(path: string, use: PathUse): Promise<readonly string[]>;
}
