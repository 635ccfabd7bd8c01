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
   * Finds out, at each start anew, what to run; `undefined` if there is nothing to run yet, which is a good end at once.
   * What it throws is a failed start.
   */
  readonly compose: () => Promise<ProgramCommand | undefined>;
}

/** Lets a service of ours be a program that knows nothing of service managers. */
export interface ProgramHost {
  /**
   * Runs the program to its end and returns its exit code. One that ends without having been told to has failed. Where a
   * process can turn into another program, this one does, and the call never returns.
   */
  run(program: HostedProgram): Promise<number>;
}
