/** A script for a machine with a POSIX shell. It says `BEGIN_MARK` first. */
export interface PosixScript {
  readonly script: string;
  readonly activity: string;
  /** The script's own input. */
  readonly input?: AsyncIterable<Uint8Array | string>;
  readonly onLine?: (line: string) => void;
}
