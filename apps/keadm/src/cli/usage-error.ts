import { OperatorError } from '@fenestra/kernel/errors';
import type { Command, CommanderError } from 'commander';

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
