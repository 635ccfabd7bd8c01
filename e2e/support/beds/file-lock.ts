import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs `work` while holding a lock on the file, after waiting for anyone who holds it.
 * The kernel gives the lock back when this process dies, however it dies: `cat` sees the end of its input.
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const holder = spawn('flock', [file, 'cat'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const gone = once(holder, 'exit');
  try {
    // The echo can only come back once flock has the lock and has started cat.
    holder.stdin.write('locked\n');
    await once(holder.stdout, 'data', { signal });
    return await work();
  } finally {
    holder.stdin.end();
    if (signal.aborted) holder.kill();
    await gone;
  }
}
