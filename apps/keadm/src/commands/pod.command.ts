import type { Command } from 'commander';
import { commandGroup, type CommandContext } from '../cli/program.ts';
import { describeCommand } from './pod/describe.command.ts';
import { execCommand } from './pod/exec.command.ts';
import { podListCommand } from './pod/list.command.ts';
import { podLogsCommand } from './pod/logs.command.ts';
import { podRestartCommand } from './pod/restart.command.ts';

/** `keadm pod list | describe | logs | exec | restart`: the pods of this node, with or without its cloud. */
export function podCommand(context: CommandContext): Command {
  return commandGroup('pod', 'Look at the pods of this node and work with them, also without the cloud', [
    podListCommand(context),
    describeCommand(context),
    podLogsCommand(context),
    execCommand(context),
    podRestartCommand(context),
  ]);
}
