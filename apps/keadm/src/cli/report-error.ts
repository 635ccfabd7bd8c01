import { OperatorError } from '@fenestra/kernel/errors';
import type { Terminal } from '../platform.ts';

/** What an unforeseen error returns: a bug, as opposed to anything in the catalogue. */
const BUG_EXIT_CODE = 70;

/** Prints a failure in the wanted form and returns its exit code. */
export function reportError(error: unknown, json: boolean, terminal: Terminal): number {
  if (!(error instanceof OperatorError)) return reportBug(error, terminal);
  if (json) terminal.out(`${JSON.stringify({ error: errorData(error) }, undefined, 2)}\n`);
  else terminal.err(errorText(error));
  return error.exitCode;
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

/** What the program that failed has last said. */
function logLines({ details: { log } }: OperatorError): readonly string[] {
  return typeof log === 'string' ? ['The last lines of its log:', ...log.split('\n').map((line) => `  ${line}`)] : [];
}

function causeOf({ message, cause }: OperatorError): string | undefined {
  return cause instanceof Error && !message.includes(cause.message) ? cause.message : undefined;
}

function reportBug(error: unknown, terminal: Terminal): number {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  terminal.err(`Error: keadm met something it does not understand; please report it with these lines\n${text}\n`);
  return BUG_EXIT_CODE;
}
