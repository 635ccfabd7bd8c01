import { spawn } from 'node:child_process';
import { OperatorError, systemCodeOf } from '@fenestra/kernel';
import { childEnvironment } from '@fenestra/platform';

/** How a program of the system's ssh ended. */
export interface SshResult {
  /** Undefined if it was ended by the signal. */
  readonly exitCode: number | undefined;
  readonly said: string;
}

/** What ssh, its agent and its ways to authenticate read, such as `SSH_AUTH_SOCK` and `KRB5CCNAME`. */
const SSH_VARIABLES = /^(?:SSH_.*|KRB5.*|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_RUNTIME_DIR)$/;

/** The environment of ssh, which answers in English whatever the user's language is. */
export function sshEnvironment(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return childEnvironment({ LC_ALL: 'C', ...more }, SSH_VARIABLES);
}

/** Runs ssh or sftp to its end. A connection that it leaves in the background is not waited for. */
export async function runSsh(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<SshResult> {
  const [program = 'ssh', ...args] = argv;
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env: sshEnvironment(env) });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const stop = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (signal.aborted) stop();
    const exitCode = await new Promise<number | undefined>((resolve, reject) => {
      child.once('error', (error) => reject(notStarted(program, error)));
      child.once('exit', (code) => setImmediate(() => resolve(code ?? undefined)));
    });
    return { exitCode, said };
  } finally {
    signal.removeEventListener('abort', stop);
    child.stderr.destroy();
  }
}

/** The error for an ssh that cannot be run at all. */
export function notStarted(program: string, cause: unknown): OperatorError {
  return new OperatorError('COMMAND_FAILED', `Cannot run "${program}" (${systemCodeOf(cause)})`, {
    hint: 'Install OpenSSH\'s client, or use the library with "transport: library".',
    cause,
  });
}
