import { findRun, readRun, reportData, summaryText, type RunAccount } from '@fenestra/fleet';
import { Command, Option } from 'commander';
import { runsOption, type RunsFlag } from '../../batch/batch-options.ts';
import { REPORT_FORMATS, reportIn, type ReportFormat } from '../../batch/run-reports.ts';
import { nextLines, standingOfRun, runsFolder } from '../../batch/runs-folder.ts';
import { storedAccount } from '../../batch/stored-account.ts';
import type { CommandContext } from '../../cli/program.ts';
import { success, type CommandResult } from '../../cli/result.ts';
import type { KeadmEnvironment } from '../../platform.ts';

interface ReportFlags extends RunsFlag {
  readonly format: ReportFormat | 'text';
  readonly to?: string;
}

/** `keadm batch report` */
export function reportCommand({ environment, deliver }: CommandContext): Command {
  return new Command('report')
    .description('Print or write the report of a run')
    .argument('[run]', 'name of the run (default: the newest run)')
    .addOption(
      new Option('--format <form>', 'format of the report').choices(['text', ...REPORT_FORMATS]).default('text'),
    )
    .option('--to <file>', 'write to a new file instead of standard output')
    .addOption(runsOption())
    .action(async (id: string | undefined, flags: ReportFlags) => {
      const folder = await findRun(runsFolder(environment, flags.runs), id);
      const stored = await readRun(folder);
      const account = await storedAccount(stored);
      const next = nextLines(environment, folder, account, await standingOfRun(environment, stored));
      deliver(await reportResult(environment, { account, next }, flags));
    });
}

async function reportResult(
  { loadPlatform }: KeadmEnvironment,
  { account, next }: { readonly account: RunAccount; readonly next: readonly string[] },
  { format, to }: ReportFlags,
): Promise<CommandResult> {
  const text = format === 'text' ? [summaryText(account), ...next].join('\n') : reportIn(format, account).trimEnd();
  if (to === undefined) return success(reportData(account), text);
  const { files } = await loadPlatform(undefined);
  await files.replace(to, `${text}\n`);
  return success({ path: to, format }, `Written to "${to}"`);
}
