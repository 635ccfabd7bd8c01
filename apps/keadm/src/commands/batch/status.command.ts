import { basename, join } from 'node:path';
import {
  countsLine,
  findRun,
  listRuns,
  readRun,
  reportData,
  commandText,
  spanText,
  versionsText,
  type NodeAccount,
  type RunAccount,
} from '@fenestra/fleet';
import { OperatorError } from '@fenestra/kernel';
import { Command } from 'commander';
import { cleanText } from '@fenestra/platform/terminal-text';
import { runsOption, type RunsFlag } from '../../batch/batch-options.ts';
import { nextLines, standingOfRun, runsFolder } from '../../batch/runs-folder.ts';
import { journalAccount } from '../../batch/stored-account.ts';
import { tableText } from '../../cli/findings-text.ts';
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

const HEAD = ['NODE', 'STATE', 'WAVE', 'ATTEMPTS', 'VERSION', 'WHAT'];

/** Where a run and each of its nodes stand, for people; what to do next comes last. */
export function runStatusText(account: RunAccount, { standing, next }: ShownStanding, now: Date): string {
  const { run, file, begunAt, endedAt } = account;
  const time = begunAt === undefined ? '' : `, ${spanText((endedAt ?? now.getTime()) - begunAt)}`;
  const from = file === undefined ? [] : [`File: ${cleanText(file)}`];
  const head = [`${run}: ${standing}${time}`, ...from, countsLine(account), ''];
  const table = tableText([HEAD, ...[...account.nodes.values()].map(nodeRow)]);
  return [...head, table, ...next.flatMap((line) => ['', line])].join('\n');
}

interface ShownStanding {
  readonly standing: string;
  readonly next: readonly string[];
}

function nodeRow(node: NodeAccount): readonly string[] {
  const { name, state, wave = '-', attempt, versions } = node;
  const tried = attempt === 0 ? '-' : String(attempt);
  return [
    cleanText(name),
    state,
    cleanText(wave),
    tried,
    cleanText(versionsText(versions, '->')) || '-',
    cleanText(whatOf(node)),
  ];
}

/** Where there is nothing else to say, the command is. */
function whatOf({ failure, text, command }: NodeAccount): string {
  if (failure !== undefined) return `${failure.code}: ${failure.message}`;
  return text ?? (command === undefined ? '' : commandText(command));
}
