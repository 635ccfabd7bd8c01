import { journalFolder } from '@fenestra/kernel';
import { recoverOnly } from '@fenestra/lifecycle';
import { Command } from 'commander';
import type { CommandContext } from '../cli/program.ts';
import { success, type CommandResult } from '../cli/result.ts';
import type { KeadmEnvironment } from '../platform.ts';
import { openSession } from './open-session.ts';
import { rootOption, type RootFlag } from './root-option.ts';

/** `keadm recover` */
export function recoverCommand({ environment, deliver }: CommandContext): Command {
  return new Command('recover')
    .description('Finish or undo work on this node that was cut off')
    .addOption(rootOption())
    .option('--dry-run', 'say what would be brought to an end and change nothing', false)
    .action(async ({ root, dryRun }: RootFlag & { dryRun: boolean }) => {
      if (dryRun) return deliver(await dryRunResult(environment, root));
      const session = await openSession(environment, root, 'recover');
      const recovered = await recoverOnly(session);
      const lines = recovered.map(
        ({ command, outcome }) => `"${command}" was ${outcome === 'applied' ? 'finished' : 'undone'}`,
      );
      deliver(success({ recovered }, lines.length === 0 ? 'Nothing was left unfinished' : lines.join('\n')));
    });
}

async function dryRunResult({ loadPlatform, now }: KeadmEnvironment, root: string | undefined): Promise<CommandResult> {
  const { layout, files } = await loadPlatform(root);
  const unfinished = await journalFolder(layout.journalFolder, files, now).unfinished();
  const commands = unfinished.flatMap(({ plan }) => plan?.begun.command ?? []);
  const text = commands.map((command) => `Would bring "${command}" to an end`).join('\n');
  return success({ dryRun: true, unfinished: commands }, text === '' ? 'Nothing was left unfinished' : text);
}
