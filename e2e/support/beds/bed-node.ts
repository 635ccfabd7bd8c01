import type { CommandResult } from './command.ts';

/** The options of a program on a node. */
export interface RunOptions {
  /** Default one minute. */
  readonly timeoutMs?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** How a test asks for a node. */
export interface NodeOptions {
  /** Host name, at most 15 characters. By default a new one is made up. */
  readonly name?: string;
  /** Folders of this machine to show inside the node, writable, under their own paths. */
  readonly shared?: readonly string[];
  /** Folders of this machine to show inside a Windows node, writable, by the paths they have there (`C:\x`). */
  readonly folders?: Readonly<Record<string, string>>;
}

/** A machine for tests: real service manager, own processes and files, gone without a trace when stopped. */
export interface BedNode<Options extends RunOptions = RunOptions> {
  readonly name: string;
  run(program: string, args: readonly string[], options?: Options): Promise<CommandResult>;
  /** A path of the node (`/etc/x`; on Windows `C:\x`) as the test process can use it, for any file operation. */
  hostPath(path: string): string;
  /** Goes down and comes up again, as far as the system offers it in order. Returns when the node is up. */
  reboot(): Promise<void>;
  /** Ends every process at once, then comes up again. What was written to files is kept. */
  powerFail(): Promise<void>;
  stop(): Promise<void>;
}
