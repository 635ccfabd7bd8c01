import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { type RemoteEnd, type RemoteProcess, type RemoteTarget, throwIfAborted } from '@fenestra/platform';
import { placeName } from '../host-keys/host-key-errors.ts';
import { lost } from '../remote-errors.ts';
import { notStarted, sshEnvironment } from './run-ssh.ts';

/** What ssh ends with when it fails itself. */
const SSH_FAILED = 255;
const SIGNAL_BASE = 128;

/** A command to be started by the system's ssh. */
export interface SystemCommand {
  readonly target: RemoteTarget;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Whether the connection is still there. */
  connected(): Promise<boolean>;
}

/** Starts ssh with a command line for the far end. */
export function startSystemProcess(command: SystemCommand, signal: AbortSignal): RemoteProcess {
  throwIfAborted(`running a command on ${placeName(command.target)}`, signal);
  const [program = 'ssh', ...args] = command.argv;
  const child = spawn(program, args, { stdio: 'pipe', env: sshEnvironment(command.env) });
  const ended = untilEnd(child, program, command, signal);
  // The failure is told by the end; nobody has to listen to each stream, nor to wait for the end.
  ended.catch(() => undefined);
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined);
  return { input: child.stdin, output: child.stdout, errors: child.stderr, ended };
}

async function untilEnd(
  child: ChildProcessWithoutNullStreams,
  program: string,
  command: SystemCommand,
  signal: AbortSignal,
): Promise<RemoteEnd> {
  const stop = (): void => void child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  try {
    const exitCode = await new Promise<number>((resolve, reject) => {
      child.once('error', (error) => reject(notStarted(program, error)));
      child.once('exit', (code, by) => resolve(code ?? SIGNAL_BASE + (by === null ? 0 : constants.signals[by])));
    });
    throwIfAborted(`running a command on ${placeName(command.target)}`, signal);
    if (exitCode === SSH_FAILED && !(await command.connected())) throw lost(command.target, 'ssh ended with it');
    return { exitCode };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
