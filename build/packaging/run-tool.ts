import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { OperatorError } from '@fenestra/kernel';

/** How a tool is run. */
export interface ToolOptions {
  readonly cwd: string;
  /** What time it is for the tool, as far as it asks for it this way. */
  readonly epoch: number;
}

/** Runs a tool that makes a part of a release; throws with what it said unless it succeeds. */
export async function runTool(name: string, args: readonly string[], { cwd, epoch }: ToolOptions): Promise<string> {
  const env = { ...process.env, SOURCE_DATE_EPOCH: `${epoch}`, LC_ALL: 'C.UTF-8', TZ: 'UTC' };
  try {
    return (await promisify(execFile)(name, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 })).stdout;
  } catch (cause) {
    throw new OperatorError('COMMAND_FAILED', `Cannot make the release: "${name}" failed`, {
      hint: `Read what it said: ${saidBy(cause)}`,
      cause,
    });
  }
}

function saidBy(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const streams = ['stdout', 'stderr'].map((name) => String(Reflect.get(cause, name) ?? ''));
  return streams.join('').trim().slice(-1000) || cause.message;
}
