import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { win32 } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '@fenestra/kernel';
import { childEnvironment, type ProgramCommand, type RotatingFile } from '@fenestra/platform';
import type { Native } from '../native.ts';
import { holdTree } from '../scripts/process-tree.ts';

/** How long a program may take to end in order. */
const GRACE_MS = 10_000;
const DRAIN_MS = 1_000;

/** A program that this process has started. */
export interface ChildProgram {
  /** Resolves when the program is gone and all it said is in the log. */
  readonly ended: Promise<void>;
  exitCode(): number | undefined;
  /** Asks the program to end, and ends it with all it has started if it does not. */
  stop(): Promise<void>;
}

/** What to start, and how to tell it to end: a command to which the number of its process is added. */
export interface ChildOrder {
  readonly command: ProgramCommand;
  readonly interrupt: readonly string[];
}

/**
 * Starts a program on its own console, because that is how programs without windows are instructed to end. It is in the
 * job in which Node.js keeps its children, so that it never outlives this process, however that ends.
 */
export async function startChild(
  native: Native,
  { command, interrupt }: ChildOrder,
  log: RotatingFile,
): Promise<ChildProgram> {
  // Services have none; anyone who has one already is refused another. It stays with the child: what is said there must not
  // end this process.
  native.kernel32.AllocConsole();
  const child = await spawned(command);
  native.kernel32.FreeConsole();
  const tree = holdTree(native, child.pid ?? 0);
  child.stdout?.on('data', (output: Buffer) => log.write(output));
  child.stderr?.on('data', (output: Buffer) => log.write(output));
  const ended = endOf(child);
  return {
    ended,
    exitCode: () => child.exitCode ?? undefined,
    async stop() {
      if (child.exitCode === null) await endInOrder(interrupt, child.pid ?? 0, ended);
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
  const child = spawn(executable, [...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'], env: childEnvironment() });
  try {
    await once(child, 'spawn');
    return child;
  } catch (cause) {
    throw new OperatorError('SERVICE_FAILED', `Cannot run "${executable}"`, {
      hint: 'Restore the program; it must be built for this system.',
      cause,
    });
  }
}

/** Anyone who says it may fail or hang: then the program is ended without notice. */
async function endInOrder(
  [program = '', ...args]: readonly string[],
  pid: number,
  ended: Promise<void>,
): Promise<void> {
  const limit = AbortSignal.timeout(GRACE_MS);
  const messenger = spawn(program, [...args, String(pid)], { stdio: 'ignore', signal: limit, env: childEnvironment() });
  const reported = once(messenger, 'exit').then(
    ([code]) => code === 0,
    () => false,
  );
  if (await reported) await Promise.race([ended, sleep(GRACE_MS, undefined, { ref: false })]);
}

const CTRL_BREAK = 1;
const EVERYBODY = 0;

/**
 * Ends all processes on the console of a process, as Ctrl-Break does; returns whether that could be sent. This needs a
 * separate process, because the sender has to be on that console and gets the event too.
 */
export function interruptProgram({ kernel32 }: Native, pid: number): boolean {
  for (const signal of ['SIGBREAK', 'SIGINT'] as const) process.on(signal, takeNoNotice);
  kernel32.FreeConsole();
  return kernel32.AttachConsole(pid) !== 0 && kernel32.GenerateConsoleCtrlEvent(CTRL_BREAK, EVERYBODY) !== 0;
}

function takeNoNotice(): void {
  // A listener is all it takes.
}
