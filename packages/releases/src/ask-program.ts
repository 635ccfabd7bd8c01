import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { childEnvironment, throwIfAborted, within } from '@fenestra/platform';
import { releaseInvalid } from './release-errors.ts';

/** A large program on a slow disk of a busy machine starts slowly the first time. */
const LIMIT_MS = 60_000;
const MAX_ANSWER = 4096;

/** A program to be run for what it says. */
export interface AskedProgram {
  readonly path: string;
  readonly args: readonly string[];
  /** What the program takes for its own name. */
  readonly calledAs: string;
}

/** What a program prints when it is asked for its version; `RELEASE_INVALID` if it does not answer. */
export async function askProgram(program: AskedProgram, signal: AbortSignal): Promise<string> {
  const limit = within(LIMIT_MS, signal);
  try {
    return await answerOf(program, limit);
  } catch (cause) {
    throwIfAborted(`asking "${program.path}" for its version`, signal);
    throw cannotTell(program.path, limit.aborted ? 'it does not answer' : 'it does not run', cause);
  }
}

/** The error for a program that does not say which version it is. */
export function cannotTell(path: string, reason: string, cause?: unknown): Error {
  const hint = `Run "${path}" with "--version" yourself; the file must be executable in its folder.`;
  return releaseInvalid(`find out the version of "${path}": ${reason}`, hint, cause);
}

async function answerOf({ path, args, calledAs }: AskedProgram, signal: AbortSignal): Promise<string> {
  const child = spawn(path, args, {
    argv0: calledAs,
    env: childEnvironment(),
    stdio: ['ignore', 'pipe', 'ignore'],
    signal,
    killSignal: 'SIGKILL',
    windowsHide: true,
  });
  const [answer, [exitCode]] = await Promise.all([beginningOf(child.stdout), once(child, 'close')]);
  if (exitCode === 0) return answer;
  throw new Error(`it ends with exit code ${exitCode}`);
}

/** Reads on to the end, because a program that nobody listens to may never end. */
async function beginningOf(output: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const piece of output) if (text.length < MAX_ANSWER) text += piece.toString('utf8');
  return text;
}
