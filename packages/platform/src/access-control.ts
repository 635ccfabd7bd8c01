/** Whether a path is private, and if not, why, in words for the operator. */
export interface AccessReport {
  readonly private: boolean;
  readonly problems: readonly string[];
}

/**
 * Who may touch a file. *Private* means: the system and its administrators, nobody else
 * (root on Linux; SYSTEM and Administrators, owned by SYSTEM, nothing inherited, on Windows).
 */
export interface AccessControl {
  /** Makes a file, or a folder and whatever is created in it later, private. */
  makePrivate(path: string): Promise<void>;
  /** Reads the rights back from the system. */
  inspect(path: string): Promise<AccessReport>;
}
