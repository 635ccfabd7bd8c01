import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { childEnvironment } from '@fenestra/platform';

/** How a command ended, and what it complained of. */
export interface CommandEnd {
  readonly exitCode: number;
  readonly complaint: string;
}

/**
 * Runs a command of the system until it ends or the signal fires. No signal ends a process that the kernel holds, such as
 * one that waits for a dead file server: it is `stuck`, and left behind.
 */
export async function runBounded(
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
