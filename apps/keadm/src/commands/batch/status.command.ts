import { basename, join } from 'node:path';
import { countsLine, findRun, listRuns, readRun, reportData } from '@fenestra/fleet';
import { OperatorError } from '@fenestra/kernel';
import { Command } from 'commander';
import { runsOption, type RunsFlag } from '../../batch/batch-options.ts';
import { nextLines, standingOfRun } from '../../batch/run-standing.ts';
import { runsFolder } from '../../batch/runs-folder.ts';
import { runStatusText } from '../../batch/status-text.ts';
import { journalAccount } from '../../batch/stored-account.ts';
import { tableText } from '../../cli/table-text.ts';
import type { CommandContext } from '../../cli/program.ts';
import { success, type CommandResult } from '../../cli/result.ts';
import type { KeadmEnvironment } from '../../platform.ts';

interface ListedRun {
  readonly id: string;
  readonly standing: string;
  readonly nodes: string;
  readonly file: string;
}

interface StatusFlags extends RunsFlag {
  readonly all: boolean;
}

/** `keadm batch status` */
export function statusCommand({ environment, deliver }: CommandContext): Command {
  return new Command('status')
    .description('Show the status of a run and of each of its nodes, or list all runs')
    .argument('[run]', 'name of the run (default: the newest run)')
    .option('--all', 'list all runs', false)
    .addOption(runsOption())
    .action(async (id: string | undefined, flags: StatusFlags) => {
      const runs = runsFolder(environment, flags.runs);
      deliver(flags.all ? await allRuns(environment, runs) : await oneRun(environment, await findRun(runs, id)));
    });
}

async function oneRun(environment: KeadmEnvironment, folder: string): Promise<CommandResult> {
  const stored = await readRun(folder);
  const account = journalAccount(stored);
  const standing = await standingOfRun(environment, stored);
  const shown = { standing, next: nextLines(environment, folder, account, standing) };
  return success({ standing, folder, ...reportData(account) }, runStatusText(account, shown, environment.now()));
}

async function allRuns(environment: KeadmEnvironment, runs: string): Promise<CommandResult> {
  const ids = await listRuns(runs);
  const known = await Promise.all(ids.map(async (id) => listedRun(environment, join(runs, id))));
  const rows = known.map(({ id, standing, nodes, file }) => [id, standing, nodes, file]);
  return success(
    known,
    rows.length === 0 ? `There are no runs in "${runs}"` : tableText([['RUN', 'STANDING', 'NODES', 'FILE'], ...rows]),
  );
}

/** One damaged journal must not hide the other runs. */
async function listedRun(environment: KeadmEnvironment, folder: string): Promise<ListedRun> {
  try {
    const stored = await readRun(folder);
    const standing = await standingOfRun(environment, stored);
    return {
      id: stored.id,
      standing,
      nodes: countsLine(journalAccount(stored)),
      file: stored.state?.opened.batch.file ?? '',
    };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { id: basename(folder), standing: 'unreadable', nodes: error.code, file: '' };
  }
}
