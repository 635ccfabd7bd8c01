import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '@fenestra/kernel';
import { killTree } from './process-tree.ts';

/** How a command ended and what it said. A death by signal N is exit code 128 + N, as a shell has it. */
export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The options of a command. */
export interface CommandOptions {
  /** Default one minute. */
  readonly timeoutMs?: number;
  /** Added to this process's own environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** What to call the command in an error; by default its whole command line. */
  readonly label?: string;
  /** Do not listen to it: for a command that leaves a daemon behind, which would hold the pipes open. */
  readonly quiet?: boolean;
}

const ONE_MINUTE_MS = 60_000;
// A daemon the command left behind may hold its pipes open for ever.
const PIPE_GRACE_MS = 500;

/** Runs a program until it ends and returns what came of it, whatever the exit code. A time limit ends the whole tree. */
export async function runCommand(
  argv: readonly string[],
  options: CommandOptions,
  signal: AbortSignal,
): Promise<CommandResult> {
  const [file = '', ...args] = argv;
  const limit = options.timeoutMs ?? ONE_MINUTE_MS;
  const ended = AbortSignal.any([signal, AbortSignal.timeout(limit)]);
  const listen = options.quiet === true ? 'ignore' : 'pipe';
  const child = spawn(file, args, { stdio: ['ignore', listen, listen], env: { ...process.env, ...options.env } });
  const output = collect(child);
  const stop = (): void => {
    if (child.pid !== undefined) killTree(child.pid);
  };
  ended.addEventListener('abort', stop, { once: true });
  try {
    const exitCode = await exitOf(child, file);
    const result = { exitCode, ...(await output()) };
    if (ended.aborted) throw cutShort(options.label ?? argv.join(' '), limit, result, signal);
    return result;
  } finally {
    ended.removeEventListener('abort', stop);
  }
}

/** Runs a program that has to succeed; anything but exit code 0 is `COMMAND_FAILED` with the end of what it said. */
export async function mustRun(
  argv: readonly string[],
  options: CommandOptions,
  signal: AbortSignal,
): Promise<CommandResult> {
  const result = await runCommand(argv, options, signal);
  if (result.exitCode === 0) return result;
  throw commandFailed(options.label ?? argv.join(' '), result);
}

/** The error for a command that ended with the wrong exit code, with the end of what it said. */
export function commandFailed(label: string, result: CommandResult): OperatorError {
  return new OperatorError('COMMAND_FAILED', `Cannot run "${label}" (exit code ${result.exitCode})`, {
    hint: `Read what it said: ${tail(result)}`,
  });
}

function collect(child: ChildProcess): () => Promise<{ stdout: string; stderr: string }> {
  const text = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text.stdout += chunk));
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (text.stderr += chunk));
  const closed = once(child, 'close').catch(() => undefined);
  return async () => {
    await Promise.race([closed, delay(PIPE_GRACE_MS, undefined, { ref: false })]);
    child.stdout?.destroy();
    child.stderr?.destroy();
    return text;
  };
}

async function exitOf(child: ChildProcess, file: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code, by) => resolve(code ?? 128 + (by === null ? 0 : constants.signals[by])));
    child.once('error', (cause) =>
      reject(new OperatorError('COMMAND_FAILED', `Cannot run "${file}"`, { hint: `Install "${file}".`, cause })),
    );
  });
}

function cutShort(label: string, limit: number, result: CommandResult, signal: AbortSignal): OperatorError {
  const reported = { hint: `Read what it said: ${tail(result)}` };
  if (signal.aborted) return new OperatorError('INTERRUPTED', `Stopped "${label}"`, reported);
  return new OperatorError('TIMED_OUT', `Cannot finish "${label}" within ${limit / 1000} s`, reported);
}

function tail(result: CommandResult): string {
  return `${result.stdout}\n${result.stderr}`.trim().slice(-2000) || '(nothing)';
}
