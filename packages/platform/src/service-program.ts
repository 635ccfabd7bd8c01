/** What a long-running program of ours offers to anyone who hosts it as a service. */
export interface ServiceProgram {
  /** Brings the program up; returns when it is ready to serve. A throw is a failed start. */
  start(signal: AbortSignal): Promise<void>;
  /** Takes up a changed configuration without a restart. */
  reload(): Promise<void>;
  /** Ends the program in order. */
  stop(): Promise<void>;
  /** Fires when a program that comes to an end by itself is through; it is stopped then. */
  readonly ended?: AbortSignal;
  /** How a program ended that came to an end by itself, 0 for well; left out, it always ends well. */
  exitCode?(): number;
}

/**
 * Connects a program to its service manager and returns its exit code when it has ended.
 * An error the program cannot handle ends the process, so that recovery can begin.
 */
export interface ServiceHost {
  run(name: string, program: ServiceProgram): Promise<number>;
}

/** What to start, with every argument. */
export interface ProgramCommand {
  readonly executable: string;
  readonly args: readonly string[];
}

/** A program that is not ours, as one of our services. */
export interface HostedProgram {
  /** The service's name. */
  readonly name: string;
  /** Where its output goes on a system whose service manager does not keep it. */
  readonly logFile: string;
  /**
   * Finds out, at each start again, what to run; `undefined` if there is nothing to run yet, which is a good end at once.
   * What it throws is a failed start.
   */
  readonly compose: () => Promise<ProgramCommand | undefined>;
}

/** Lets a service of ours be a program that knows nothing of service managers. */
export interface ProgramHost {
  /**
   * Runs the program until it ends and returns its exit code. One that ends without having been instructed to has failed. Where a
   * process can turn into another program, this one does, and the call never returns.
   */
  run(program: HostedProgram): Promise<number>;
}
