import { OperatorError } from '@fenestra/kernel/errors';
import type { Command, CommanderError } from 'commander';

/** Turns the parser's complaint into one line with the nearest match, if there is one. */
export function usageError(error: CommanderError, program: Command): OperatorError {
  const [complaint = '', ...suggestion] = error.message
    .replace(/^error: /, '')
    .replace(/\.$/, '')
    .split('\n');
  const nearest = /\(Did you mean (?:one of )?([^?]+)\?\)/.exec(suggestion.join(' '))?.[1];
  const message = complaint.charAt(0).toUpperCase() + complaint.slice(1).replaceAll("'", '"');
  return new OperatorError('USAGE', message, {
    hint: nearest === undefined ? `Run "${program.name()} --help" for what there is.` : `Did you mean "${nearest}"?`,
    cause: error,
  });
}
