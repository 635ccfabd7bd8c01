import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
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

/** Runs ssh or sftp until it ends. A connection that it leaves in the background is not waited for. */
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

const ANSWER_SECONDS = 5;
const HINT = 'Fix the settings of ssh, or set "transport: library" for this machine.';
const run = promisify(execFile);

/** What ssh would do for a host with this configuration, by keywords in small letters. */
export type Settings = ReadonlyMap<string, string>;

/** Asks ssh what it would do for a host; undefined if there is no ssh. Rejects if it cannot determine. */
export async function askSsh(program: string, config: string, host: string): Promise<Settings | undefined> {
  try {
    const limits = { env: sshEnvironment({}), timeout: ANSWER_SECONDS * 1000 };
    const { stdout } = await run(program, ['-F', config, '-T', '-G', '--', host], limits);
    return readPrinted(stdout);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw systemCodeOf(error) === 'unknown' ? notTold(host, error) : notStarted(program, error);
  }
}

/** What `ssh -G` has printed. */
export function readPrinted(printed: string): Settings {
  return new Map(printed.split(/\r?\n/).map((line) => splitLine(line)));
}

function splitLine(line: string): readonly [string, string] {
  const [keyword = ''] = line.split(' ', 1);
  return [keyword, line.slice(keyword.length + 1).trim()];
}

function notTold(host: string, cause: unknown): OperatorError {
  const what = `Cannot find out what ssh is set up to do for "${host}"`;
  if (cause instanceof Error && 'killed' in cause && cause.killed === true)
    return new OperatorError('REMOTE_TIMEOUT', `${what} within ${ANSWER_SECONDS} s`, { hint: HINT, cause });
  const said = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : '';
  const reason = said.split(/\r?\n/).join('; ') || 'ssh printed no message';
  return new OperatorError('CONFIG_INVALID', `${what}: ${reason}`, { hint: HINT, cause });
}
