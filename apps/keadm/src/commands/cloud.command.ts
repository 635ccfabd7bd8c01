import { CLOUD_SERVICE } from '@fenestra/lifecycle';
import { Command } from 'commander';
import { type CommandContext, commandGroup } from '../cli/program.ts';
import { serviceActionCommands } from './service/action.command.ts';

/** `keadm cloud …`: cloudcore as a service of this machine, after `keadm init` made it one. */
export function cloudCommand(context: CommandContext): Command {
  return commandGroup(
    'cloud',
    'Manage the cloud service on this machine',
    serviceActionCommands(context, 'cloud', CLOUD_SERVICE),
  );
}
