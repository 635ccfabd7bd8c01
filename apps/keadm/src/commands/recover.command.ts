import { recoverOnly } from '@fenestra/lifecycle';
import { Command } from 'commander';
import type { CommandContext } from '../cli/program.ts';
import { success } from '../cli/result.ts';
import { openSession } from './open-session.ts';
import { rootOption, type RootFlag } from './root-option.ts';

/** `keadm recover` */
export function recoverCommand({ environment, deliver }: CommandContext): Command {
  return new Command('recover')
    .description('Finish or undo work on this node that was cut off')
    .addOption(rootOption())
    .action(async ({ root }: RootFlag) => {
      const session = await openSession(environment, root, 'recover');
      const recovered = await recoverOnly(session);
      const lines = recovered.map(
        ({ command, outcome }) => `"${command}" was ${outcome === 'applied' ? 'finished' : 'undone'}`,
      );
      deliver(success({ recovered }, lines.length === 0 ? 'Nothing was left unfinished' : lines.join('\n')));
    });
}
