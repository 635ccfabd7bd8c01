import { execFile } from 'node:child_process';
import { OperatorError } from '@fenestra/kernel';
import { childEnvironment } from '@fenestra/platform';

const LIMIT_MS = 60_000;

/** Runs netsh by its whole path and without a shell. That it refuses is an answer; that it cannot be run is an error. */
export function runNetsh(path: string, args: readonly string[]): Promise<{ exitCode: number; output: string }> {
  return new Promise((resolve, reject) => {
    execFile(
      path,
      [...args],
      { windowsHide: true, timeout: LIMIT_MS, env: childEnvironment() },
      (error, stdout, stderr) => {
        const exitCode = error === null ? 0 : error.code;
        if (typeof exitCode === 'number') resolve({ exitCode, output: `${stdout}${stderr}` });
        else reject(cannotRun(path, error));
      },
    );
  });
}

function cannotRun(path: string, cause: unknown): OperatorError {
  return new OperatorError('COMMAND_FAILED', `Cannot run "${path}"`, {
    hint: 'See whether that program is there and answers.',
    cause,
  });
}
