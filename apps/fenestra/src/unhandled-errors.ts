import { writeSync } from 'node:fs';
import { internalError, OperatorError } from '@fenestra/kernel/errors';
import { terminalText } from '@fenestra/platform/terminal-text';

const STDERR = 2;
const EVENT = 'uncaughtException';

/**
 * Ends the process at an error that no code handles, promise rejections included, with our report in place of Node's,
 * which prints source text. A role that reports such errors in another form adds its own listener.
 */
export function reportUnhandledErrors(): void {
  process.on(EVENT, (error: unknown) => {
    if (process.listenerCount(EVENT) === 1) process.exit(report(error));
  });
}

function report(error: unknown): number {
  const { message, hint, details, exitCode } = error instanceof OperatorError ? error : internalError(error);
  try {
    writeSync(STDERR, terminalText([`Error: ${message}`, `Hint: ${hint}`, details['stack'] ?? '', ''].join('\n')));
  } catch {
    // Standard error is closed: the exit code still tells.
  }
  return exitCode;
}
