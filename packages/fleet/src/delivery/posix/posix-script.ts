/** A script for a machine with a POSIX shell. It says `BEGIN_MARK` first. */
export interface PosixScript {
  readonly script: string;
  readonly activity: string;
  /** The script's own input. */
  readonly input?: AsyncIterable<Uint8Array | string>;
  /** Whether the script knows how much input it has, and does not wait for its end. */
  readonly knowsItsEnd?: boolean;
  /** Whether the next script for the machine may have input. */
  readonly isBeforeInput?: boolean;
  /** Whether it can be run by a shell that goes on to others, so that it needs none of its own. */
  readonly isTame?: boolean;
  readonly onLine?: (line: string) => void;
}
