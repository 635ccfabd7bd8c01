import { Command } from 'commander';
import { type CommandContext, commandGroup } from '../cli/program.ts';
import { lintCommand } from './capi/lint.command.ts';
import { templateCommand } from './capi/template.command.ts';
import { userdataCommand } from './capi/userdata.command.ts';

/** `keadm capi …`: Windows nodes by Cluster API. */
export function capiCommand(context: CommandContext): Command {
  return commandGroup('capi', 'Generate and check user-data and templates for Windows nodes with Cluster API', [
    userdataCommand(context),
    lintCommand(context),
    templateCommand(context),
  ]);
}
