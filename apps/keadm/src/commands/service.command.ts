import { AGENT_SERVICE } from '@fenestra/lifecycle';
import { Command } from 'commander';
import type { CommandContext } from '../cli/program.ts';
import { serviceActionCommands } from './service/action.command.ts';
import { installCommand, removeCommand } from './service/change.command.ts';
import { statusCommand } from './service/status.command.ts';

/** `keadm service …`: the node agent as a service of this machine. */
export function serviceCommand(context: CommandContext): Command {
  const group = new Command('service').description('Manage the node agent service on this machine');
  const commands = [
    installCommand(context),
    statusCommand(context),
    ...serviceActionCommands(context, 'service', AGENT_SERVICE),
    removeCommand(context),
  ];
  for (const command of commands) group.addCommand(command);
  return group;
}
