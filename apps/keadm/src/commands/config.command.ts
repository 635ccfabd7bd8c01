import { Command } from 'commander';
import type { CommandContext } from '../cli/program.ts';
import { applyCommand } from './config/apply.command.ts';
import { diffCommand } from './config/diff.command.ts';
import { setCommand } from './config/set.command.ts';
import { validateCommand } from './config/validate.command.ts';
import { viewCommand } from './config/view.command.ts';

/** `keadm config …`: the settings of this node's agent. */
export function configCommand(context: CommandContext): Command {
  const group = new Command('config').description('Show, check and change the settings of the node agent');
  const commands = [
    viewCommand(context),
    validateCommand(context),
    diffCommand(context),
    setCommand(context),
    applyCommand(context),
  ];
  for (const command of commands) group.addCommand(command);
  return group;
}
