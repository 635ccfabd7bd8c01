import { CLOUD_SERVICE } from '@fenestra/lifecycle';
import { Command } from 'commander';
import type { CommandContext } from '../cli/program.ts';
import { serviceActionCommands } from './service/action.command.ts';

/** `keadm cloud …`: cloudcore as a service of this machine, after `keadm init` made it one. */
export function cloudCommand(context: CommandContext): Command {
  const group = new Command('cloud').description('Manage the cloud service on this machine');
  for (const command of serviceActionCommands(context, 'cloud', CLOUD_SERVICE)) group.addCommand(command);
  return group;
}
