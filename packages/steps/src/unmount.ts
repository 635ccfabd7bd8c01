import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { OperatorError, type StepContext } from '@fenestra/kernel';
import { throwIfAborted, within, childEnvironment } from '@fenestra/platform';
import * as z from 'zod/mini';
import type { StepPorts } from '@fenestra/session';
import { mountPointsBelow } from './mount-points.ts';
import { defineStep } from './define-step.ts';

const LIMIT_MS = 30_000;
/** Without a word to whatever is behind the mount: neither its own helper nor its folders are asked. */
const DETACH: readonly string[] = ['--internal-only', '--no-canonicalize', '--lazy'];

/** Unmounts what a pod's volume was mounted as. What is on the mounted disk stays as it is. */
export const unmount = defineStep({
  kind: 'unmount',
  pointOfNoReturn: true,
  data: z.object({ path: z.string() }),
  describe: ({ path }) => `Unmount "${path}"`,
  apply: async ({ path }, _before, { say }, signal) => unmountPath(path, say, signal),
});

/** Unmounts what is mounted at a path; nothing is fine. */
export async function unmountPath(
  path: string,
  say: StepContext<StepPorts>['say'],
  signal: AbortSignal,
): Promise<void> {
  if (!(await mountPointsBelow(path)).includes(path)) return;
  await unmountBy({ program: 'umount', limitMs: LIMIT_MS, say }, path, signal);
}

/** By which program, within which time, a mount is undone, and who is reported one whose server is dead. */
export interface Unmounter {
  readonly program: string;
  readonly limitMs: number;
  readonly say: StepContext<StepPorts>['say'];
}

/** Unmounts in good order. A mount that no one answers for would hold everything up for ever: it is only detached. */
export async function unmountBy(
  { program, limitMs, say }: Unmounter,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const run = async (...options: readonly string[]): ReturnType<typeof runBounded> =>
    runBounded(program, [...options, '--', path], within(limitMs, signal));
  const end = await run();
  throwIfAborted(`unmounting "${path}"`, signal);
  if (end !== 'stuck') return requireDone(end.exitCode, path, end.complaint);
  const detached = await run(...DETACH);
  throwIfAborted(`unmounting "${path}"`, signal);
  if (detached === 'stuck') throw cannot(path, `it is stuck, and cannot be detached either`);
  requireDone(detached.exitCode, path, detached.complaint);
  const seconds = Math.round(limitMs / 1000);
  const note = `"${path}" did not answer for ${seconds} s, so it was detached: unwritten data may be lost`;
  say(note, { lasting: true });
}

function requireDone(exitCode: number, path: string, complaint: string): void {
  if (exitCode !== 0) throw cannot(path, complaint);
}

function cannot(path: string, why: string): OperatorError {
  return new OperatorError('COMMAND_FAILED', `Cannot unmount "${path}": ${why}`, {
    hint: 'Stop the program that uses it, or check the server that it is mounted from, then run "keadm recover": it continues from here.',
  });
}

/** How a command ended, and what it complained of. */
export interface CommandEnd {
  readonly exitCode: number;
  readonly complaint: string;
}

/**
 * Runs a command of the system until it ends or the signal fires. No signal ends a process that the kernel holds, such as
 * one that waits for a dead file server: it is `stuck`, and left behind.
 */
async function runBounded(
  command: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<CommandEnd | 'stuck'> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], env: childEnvironment() });
  const { promise, resolve } = Promise.withResolvers<CommandEnd | 'stuck'>();
  const complaint = text(child.stderr).catch(() => '');
  child.on('error', ({ message }) => resolve(endOf(null, message)));
  child.on('close', (code) => void complaint.then((said) => resolve(endOf(code, said))));
  const giveUp = (): void => resolve('stuck');
  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', giveUp);
    child.kill('SIGKILL');
    child.stderr.destroy();
    child.unref();
  }
}

function endOf(exitCode: number | null, complaint: string): CommandEnd {
  return { exitCode: exitCode ?? 1, complaint: complaint.trim() };
}
