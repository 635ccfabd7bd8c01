/** What a long-running program of ours offers to whoever hosts it as a service. */
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
