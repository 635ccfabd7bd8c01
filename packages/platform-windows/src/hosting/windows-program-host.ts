import {
  type HostedProgram,
  openRotatingFile,
  type ProgramHost,
  type RotatingFile,
  type ServiceProgram,
} from '@fenestra/platform';
import type { Native } from '../native.ts';
import { eventLog, describeError } from '../registry/event-log.ts';
import { type ChildProgram, startChild } from './child-program.ts';
import { windowsServiceHost } from './windows-service-host.ts';

const ENDED_BY_ITSELF = 5;
/** For an end that no one asked for, however well the program speaks of it. */
const FAILED = 1;

/**
 * Runs a program as the child of this process, which is the service. Its output goes to a log that is kept within bounds.
 * `interrupt` is a command that tells a process to end, given its number: `interruptProgram` in its own process.
 */
export function windowsProgramHost(native: Native, interrupt: readonly string[]): ProgramHost {
  return {
    run: async (program) => windowsServiceHost(native).run(program.name, serviceOf(native, program, interrupt)),
  };
}

function serviceOf(native: Native, program: HostedProgram, interrupt: readonly string[]): ServiceProgram {
  const ended = new AbortController();
  const { name, logFile } = program;
  let log: RotatingFile | undefined;
  let child: ChildProgram | undefined;
  return {
    ended: ended.signal,
    async start() {
      log = openRotatingFile(logFile);
      child = await startComposed({ native, program, interrupt }, log);
      void (child?.ended ?? Promise.resolve()).then(() => ended.abort());
    },
    // What the program is reported by its arguments it takes up at its next start.
    reload: async () => undefined,
    exitCode() {
      if (child === undefined) return 0;
      const exitCode = child.exitCode() ?? FAILED;
      tellOfEnd(native, name, `"${name}" exited with exit code ${exitCode}; its log is "${logFile}"`);
      return exitCode === 0 ? FAILED : exitCode;
    },
    async stop() {
      await child?.stop();
      log?.close();
    },
  };
}

/** A start that fails is reported where the program's own words are looked for; the service host tells the event log. */
async function startComposed(
  {
    native,
    program,
    interrupt,
  }: { readonly native: Native; readonly program: HostedProgram; readonly interrupt: readonly string[] },
  log: RotatingFile,
): Promise<ChildProgram | undefined> {
  try {
    const command = await program.compose();
    return command === undefined ? undefined : await startChild(native, { command, interrupt }, log);
  } catch (error) {
    log.write(`Cannot start "${program.name}": ${describeError(error)}\n`);
    throw error;
  }
}

function tellOfEnd(native: Native, name: string, text: string): void {
  try {
    eventLog(native, name).write('error', ENDED_BY_ITSELF, text);
  } catch {
    // The exit code tells the manager; the event log only helps to explain.
  }
}
