import { isStuck, journalFolder, type JournalFolder, type OperatorError, type Recovered } from '@fenestra/kernel';
import { recoverOnly } from '@fenestra/session';
import { Command } from 'commander';
import type { CommandContext } from '../cli/program.ts';
import { recoveredText } from '../cli/recovered-text.ts';
import { errorData, errorText } from '../cli/report-error.ts';
import { success, type CommandResult } from '../cli/result.ts';
import type { KeadmEnvironment } from '../platform.ts';
import { openSession } from './open-session.ts';
import { unfinishedRun, unfinishedText, type Unfinished } from './recover-text.ts';
import { rootOption, type RootFlag } from './root-option.ts';

const NOTHING = 'Nothing to do: no operation was interrupted';

/** `keadm recover` */
export function recoverCommand({ environment, deliver }: CommandContext): Command {
  return new Command('recover')
    .description('Finish or undo an interrupted operation on this node')
    .addOption(rootOption())
    .option('--dry-run', 'print what would be finished or undone and change nothing', false)
    .action(async ({ root, dryRun }: RootFlag & { dryRun: boolean }) =>
      deliver(dryRun ? await preview(environment, root) : await recover(environment, root)),
    );
}

async function recover(environment: KeadmEnvironment, root: string | undefined): Promise<CommandResult> {
  const session = await openSession(environment, root, 'recover');
  try {
    return recoveredResult(await recoverOnly(session));
  } catch (error) {
    if (!isStuck(error)) throw error;
    return stuckResult(error, await findUnfinished(environment, root));
  }
}

function recoveredResult(recovered: readonly Recovered[]): CommandResult {
  const lines = recovered.map(recoveredText);
  return success({ recovered }, lines.length === 0 ? NOTHING : lines.join('\n'));
}

function stuckResult(error: OperatorError, unfinished: readonly Unfinished[]): CommandResult {
  const stuck = unfinished.filter((run) => run.stuck !== undefined);
  const text = stuck.length === 0 ? errorText(error) : stuck.map(unfinishedText).join('\n');
  return { data: { unfinished, error: errorData(error) }, text, exitCode: error.exitCode };
}

async function preview(environment: KeadmEnvironment, root: string | undefined): Promise<CommandResult> {
  const unfinished = await findUnfinished(environment, root);
  const superseded = (await (await openJournals(environment, root)).superseded()).map(({ path }) => path);
  const asides = superseded.map((path) => `Would rename "${path}": it is damaged, and its operation finished earlier`);
  const text = [...asides, ...unfinished.map(unfinishedText)].join('\n');
  return success({ dryRun: true, unfinished, superseded }, text === '' ? NOTHING : text);
}

async function findUnfinished(environment: KeadmEnvironment, root: string | undefined): Promise<readonly Unfinished[]> {
  const contents = await (await openJournals(environment, root)).unfinished();
  return contents.map(unfinishedRun).filter((run) => run !== undefined);
}

async function openJournals({ loadPlatform, now }: KeadmEnvironment, root: string | undefined): Promise<JournalFolder> {
  const { layout, files } = await loadPlatform(root);
  return journalFolder(layout.journalFolder, files, now);
}
