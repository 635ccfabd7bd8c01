import { internalError, OperatorError } from '@fenestra/kernel/errors';
import type { Command, CommanderError } from 'commander';
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

/** Turns the parser's message into one line that names the nearest match, if there is one, and the help to read. */
export function usageError(error: CommanderError, command: Command): OperatorError {
  const see = `See "${commandPath(command)} --help".`;
  if (error.code === 'commander.help') return new OperatorError('USAGE', 'Missing command', { hint: see });
  const [complaint = '', ...suggestion] = error.message
    .replace(/^error: /, '')
    .replace(/\.$/, '')
    .split('\n');
  const nearest = /\(Did you mean (?:one of )?([^?]+)\?\)/.exec(suggestion.join(' '))?.[1];
  const message = complaint.charAt(0).toUpperCase() + complaint.slice(1).replaceAll("'", '"');
  return new OperatorError('USAGE', message, {
    hint: nearest === undefined ? see : `Did you mean "${nearest}"? ${see}`,
    cause: error,
  });
}

/** The words that name a command, such as "keadm kube join". */
export function commandPath(command: Command): string {
  return command.parent === null ? command.name() : `${commandPath(command.parent)} ${command.name()}`;
}
