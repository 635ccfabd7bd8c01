import { Command } from 'commander';
import type { CommandContext } from '../cli/program.ts';
import { admitCommand } from './node/admit.command.ts';
import { listCommand } from './node/list.command.ts';
import { revokeCommand } from './node/revoke.command.ts';

/** `keadm node list | revoke | admit`: which nodes the cloud trusts. */
export function nodeCommand(context: CommandContext): Command {
  return new Command('node')
    .description('List, revoke and readmit nodes of a cloud')
    .addCommand(listCommand(context))
    .addCommand(revokeCommand(context))
    .addCommand(admitCommand(context));
}
