import { stat } from 'node:fs/promises';
import { OperatorError } from '@fenestra/kernel';

/** A script of the operator's. */
export interface Script {
  /** Its file; one that is not absolute counts from where this process stands. */
  readonly path: string;
  readonly args: readonly string[];
  /** Set over the variables this process has; the script inherits the rest, so blank what is not for it. */
  readonly env: Readonly<Record<string, string>>;
  readonly limitMs: number;
}

/** How a script ended. */
export interface ScriptResult {
  /** 128 and the signal's number for one that was killed, as shells count. */
  readonly exitCode: number;
  /** What it wrote to both its streams, as it came; of very much, the last. */
  readonly output: string;
  /** Whether it was ended because it took longer than it may. */
  readonly timedOut: boolean;
}

/** Runs scripts in the way of the system: no text of the operator's ever becomes a part of a command line unquoted. */
export interface Scripts {
  /** Throws `SCRIPT_FAILED` if there is no such file, or none that this system can run, and runs nothing. */
  check(script: Pick<Script, 'path' | 'args'>): Promise<void>;
  /**
   * Runs it until it ends. At its limit, or when the signal fires, it is ended together with everything it has started.
   * A script that fails is a result; one that cannot be run is `SCRIPT_FAILED`, as in `check`.
   */
  run(script: Script, signal: AbortSignal): Promise<ScriptResult>;
}

/** Throws unless the path is a file; links are followed, as the system does when it runs one. */
export async function requireScriptFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw unrunnable(path, 'it is not there', 'Give the path of a script that exists.');
  if (!found.isFile()) throw unrunnable(path, 'it is not a file', 'Give the path of a script.');
}

/** A script that this system cannot run, and why; it was not begun. */
export function unrunnable(path: string, why: string, hint: string, cause?: unknown): OperatorError {
  return new OperatorError('SCRIPT_FAILED', `Cannot run the script "${path}": ${why}`, {
    hint,
    details: { path },
    cause,
  });
}
