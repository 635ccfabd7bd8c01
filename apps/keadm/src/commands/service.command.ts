import { Command } from 'commander';
import type { CommandContext } from '../cli/program.ts';
import { serviceActionCommand } from './service/action.command.ts';
import { installCommand, removeCommand } from './service/change.command.ts';
import { statusCommand } from './service/status.command.ts';

/** `keadm service …`: the node agent as a service of this machine. */
export function serviceCommand(context: CommandContext): Command {
  return new Command('service')
    .description('The node agent as a service of this machine')
    .addCommand(installCommand(context))
    .addCommand(statusCommand(context))
    .addCommand(serviceActionCommand(context, 'start', 'Start the agent and wait until it runs'))
    .addCommand(serviceActionCommand(context, 'stop', 'Stop the agent and wait until its process is gone'))
    .addCommand(serviceActionCommand(context, 'restart', 'Stop and start the agent'))
    .addCommand(serviceActionCommand(context, 'reload', 'Have the agent read its configuration again'))
    .addCommand(removeCommand(context));
}
