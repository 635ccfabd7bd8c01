import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { OperatorError } from '@fenestra/kernel';
import { childEnvironment, throwIfAborted } from '@fenestra/platform';

/**
 * Runs an installer by its whole path and without a shell, to its end: one that is killed in the middle leaves the
 * machine half changed, so an interruption waits.
 */
export async function runInstaller(path: string, args: readonly string[], signal: AbortSignal): Promise<number> {
  throwIfAborted(`running "${path}"`, signal);
  const child = spawn(path, [...args], { stdio: 'ignore', windowsHide: true, env: childEnvironment() });
  try {
    const [code] = await once(child, 'exit');
    return typeof code === 'number' ? code : -1;
  } catch (cause) {
    throw new OperatorError('COMMAND_FAILED', `Cannot run "${path}"`, {
      hint: 'See whether that program of Windows is there and may run.',
      cause,
    });
  }
}
