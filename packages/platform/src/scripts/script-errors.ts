import { stat } from 'node:fs/promises';
import { OperatorError } from '@fenestra/kernel';

/** Throws unless the path is a file; links are followed, as the system does when it runs one. */
export async function requireScriptFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw unrunnable(path, 'it is not there', 'Give the path of a script that exists.');
  if (!found.isFile()) throw unrunnable(path, 'it is not a file', 'Give the path of a script.');
}

/** A script that this system cannot run, and why; it was not begun. */
export function unrunnable(path: string, why: string, hint: string, cause?: unknown): OperatorError {
  return new OperatorError('SCRIPT_FAILED', `Cannot run the script "${path}": ${why}`, {
    hint,
    details: { path },
    cause,
  });
}
