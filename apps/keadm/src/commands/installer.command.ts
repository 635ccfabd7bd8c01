import { Command } from 'commander';
import type { CommandContext } from '../cli/program.ts';
import { leavingCommand } from './installer/leaving.command.ts';
import { placedCommand } from './installer/placed.command.ts';

/** `keadm installer …`: what the installers have the program do that they bring, so that all of them do it alike. */
export function installerCommand(context: CommandContext): Command {
  const group = new Command('installer').description('Used by the installers; not for manual use');
  for (const command of [placedCommand(context), leavingCommand(context)]) group.addCommand(command);
  return group;
}
