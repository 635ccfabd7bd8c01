import type { Command } from 'commander';
import type { CommandContext } from '../../cli/program.ts';
import { success, type CommandResult } from '../../cli/result.ts';

/** Runs another command of keadm in this very process, as if these words had been typed, and returns its result. */
export async function runCommand(
  context: CommandContext,
  makeCommand: (context: CommandContext) => Command,
  words: readonly string[],
): Promise<CommandResult> {
  let result = success({}, '');
  const command = makeCommand({ ...context, deliver: (delivered) => (result = delivered) });
  const silent = { writeOut: () => {}, writeErr: () => {}, outputError: () => {} };
  await command.exitOverride().configureOutput(silent).parseAsync(words, { from: 'user' });
  return result;
}
