import { internalError, OperatorError } from '@fenestra/kernel/errors';
import type { Terminal } from '../platform.ts';

/** Prints a failure in the wanted form and returns its exit code. Anything but an operator error is a bug. */
export function reportError(error: unknown, json: boolean, terminal: Terminal): number {
  const known = error instanceof OperatorError ? error : internalError(error);
  if (json) terminal.out(`${JSON.stringify({ error: errorData(known) }, undefined, 2)}\n`);
  else terminal.err(errorText(known));
  return known.exitCode;
}

/** An error as data, for JSON output. */
export function errorData(error: OperatorError): Readonly<Record<string, unknown>> {
  const { code, message, hint, details } = error;
  return { code, message, hint, details, ...(causeOf(error) === undefined ? {} : { cause: causeOf(error) }) };
}

/** An error as people read it. A wrong command line is one line; anything else also says why and what to do. */
export function errorText(error: OperatorError): string {
  if (error.code === 'USAGE') return `Error: ${error.message}. ${error.hint}\n`;
  const cause = causeOf(error);
  return [
    `Error: ${error.message}`,
    ...(cause === undefined ? [] : [`Cause: ${cause}`]),
    `Hint: ${error.hint}`,
    ...logLines(error),
    '',
  ].join('\n');
}

/** What the program that failed has last logged, and where a bug is. */
function logLines({ details: { log, stack } }: OperatorError): readonly string[] {
  return [
    ...(typeof log === 'string' ? ['The last lines of its log:', ...log.split('\n').map((line) => `  ${line}`)] : []),
    ...(typeof stack === 'string' ? [stack] : []),
  ];
}

function causeOf({ message, cause }: OperatorError): string | undefined {
  return cause instanceof Error && !message.includes(cause.message) ? cause.message : undefined;
}
