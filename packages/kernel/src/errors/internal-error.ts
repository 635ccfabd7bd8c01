import { inspect } from 'node:util';
import { OperatorError } from './operator-error.ts';

/** How many causes of a cause are shown. */
const DEPTH = 5;
const STACK_FRAME = /^\s+at /;

/** Wraps an error that no code has foreseen: a bug in this program. The details hold the stack, and never source text. */
export function internalError(error: unknown): OperatorError {
  const message = error instanceof Error ? nameAndMessage(error) : inspect(error, { depth: 1 });
  return new OperatorError('INTERNAL', `Internal error: ${message}`, {
    hint: 'Please report it with the command line, the version ("keadm version") and all of this output.',
    details: { stack: stackText(error, DEPTH) },
  });
}

/** `error.stack` begins with the source line for some errors: only its frames are kept. */
function stackText(error: unknown, depth: number): string {
  if (!(error instanceof Error)) return '';
  const frames = (error.stack ?? '').split('\n').filter((line) => STACK_FRAME.test(line));
  if (!(error.cause instanceof Error) || depth === 0) return frames.join('\n');
  return [...frames, `Caused by ${nameAndMessage(error.cause)}`, stackText(error.cause, depth - 1)].join('\n');
}

function nameAndMessage({ name, message }: Error): string {
  return `${name}: ${message}`;
}
