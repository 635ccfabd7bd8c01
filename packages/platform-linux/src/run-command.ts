import { execFile } from 'node:child_process';
import { systemCodeOf } from '@fenestra/kernel';
import { childEnvironment } from '@fenestra/platform';

/** How a command ended. */
export interface CommandResult {
  /** `undefined` if there is no such command. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a system command until it ends. A failing or missing command is an answer; the caller decides what it means. */
export function runCommand(command: string, args: readonly string[], signal: AbortSignal): Promise<CommandResult> {
  // The C locale, because some answers are read by programs.
  const env = childEnvironment({ LC_ALL: 'C', SYSTEMD_COLORS: '0', SYSTEMD_PAGER: '' });
  return new Promise((resolve) => {
    execFile(command, [...args], { env, signal, maxBuffer: 16 * 1024 * 1024 }, (error, stdout, stderr) => {
      resolve({ exitCode: exitCodeOf(error), stdout, stderr });
    });
  });
}

function exitCodeOf(error: unknown): number | undefined {
  if (error === null) return 0;
  if (systemCodeOf(error) === 'ENOENT') return undefined;
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : 1;
}
