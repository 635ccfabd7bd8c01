import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { win32 } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '@fenestra/kernel';
import type { ProgramCommand, RotatingFile } from '@fenestra/platform';
import type { Native } from '../native.ts';
import { holdTree } from '../scripts/process-tree.ts';

const CTRL_BREAK = 1;
const EVERYBODY = 0;
/** How long a program may take to end in order. */
const GRACE_MS = 20_000;
const DRAIN_MS = 1_000;

/** A program that this process has started. */
export interface ChildProgram {
  /** Resolves when the program is gone and all it said is in the log. */
  readonly ended: Promise<void>;
  exitCode(): number | undefined;
  /** Asks the program to end, and ends it with all it has started if it does not. */
  stop(): Promise<void>;
}

/**
 * Starts a program on a console of ours, because that is how programs without windows are told to end. It is in the job
 * in which Node.js keeps its children, so that it never outlives this process, however that ends.
 */
export async function startChild(native: Native, command: ProgramCommand, log: RotatingFile): Promise<ChildProgram> {
  // Services have none; whoever has one already is refused another.
  native.kernel32.AllocConsole();
  const child = await spawned(command);
  const tree = holdTree(native, child.pid ?? 0);
  child.stdout?.on('data', (output: Buffer) => log.write(output));
  child.stderr?.on('data', (output: Buffer) => log.write(output));
  const ended = endOf(child);
  return {
    ended,
    exitCode: () => child.exitCode ?? undefined,
    async stop() {
      if (child.exitCode === null) await endInOrder(native, ended);
      tree.end();
      await ended;
      tree.close();
    },
  };
}

/** Whatever else holds the program's output open, such as a program that it has left behind, is not waited for long. */
async function endOf(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close');
  await once(child, 'exit');
  await Promise.race([closed, sleep(DRAIN_MS)]);
}

/** Its folder is on its own drive: programs of Kubernetes take paths without a drive to be on the current one. */
async function spawned({ executable, args }: ProgramCommand): Promise<ChildProcess> {
  const cwd = win32.parse(executable).root;
  const child = spawn(executable, [...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    await once(child, 'spawn');
    return child;
  } catch (cause) {
    throw new OperatorError('SERVICE_FAILED', `Cannot run "${executable}"`, {
      hint: 'Put the program back in its place; it must be one for this system.',
      cause,
    });
  }
}

/**
 * The signal reaches everybody on the console, so also this process, which has to take no notice of it: for good, because
 * it may come here only after the program has ended over it.
 */
async function endInOrder({ kernel32 }: Native, ended: Promise<void>): Promise<void> {
  process.on('SIGBREAK', takeNoNotice);
  const told = kernel32.GenerateConsoleCtrlEvent(CTRL_BREAK, EVERYBODY) !== 0;
  if (told) await Promise.race([ended, sleep(GRACE_MS, undefined, { ref: false })]);
}

function takeNoNotice(): void {
  // A listener is all it takes.
}
