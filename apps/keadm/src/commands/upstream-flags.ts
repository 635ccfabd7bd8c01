import { OperatorError } from '@fenestra/kernel';
import { type Command, Option } from 'commander';

/**
 * Knows flags of upstream's that make no sense here: whoever brings a script along is told what to do instead of being
 * told that the flag is unknown. `reasons` has the instruction for each, `program` says whose flags they are.
 */
export function refuseUpstreamFlags(
  command: Command,
  reasons: Readonly<Record<string, string>>,
  program = "upstream's keadm",
): Command {
  for (const [flag, hint] of Object.entries(reasons)) {
    const option = new Option(`${flag} [value]`).hideHelp();
    command.addOption(option);
    command.on(`option:${option.name()}`, () => {
      throw new OperatorError('USAGE', `Cannot use "${flag}", a flag of ${program}, here`, { hint });
    });
  }
  return command;
}
