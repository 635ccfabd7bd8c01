import { join } from 'node:path';
import { htmlReport, junitReport, reportData, type RunAccount, summaryText } from '@fenestra/fleet';
import { ERROR_CODES } from '@fenestra/kernel';
import type { KeadmPlatform, KeadmEnvironment } from '../platform.ts';
import type { CommandResult } from '../cli/result.ts';
import { nextLines } from './runs-folder.ts';

/** The forms a report can have, besides text for people. */
export const REPORT_FORMATS = ['html', 'junit', 'json'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

const FILES: Readonly<Record<ReportFormat, string>> = {
  html: 'report.html',
  junit: 'report.xml',
  json: 'report.json',
};

/** A run in one of the forms. */
export function reportIn(format: ReportFormat, account: RunAccount): string {
  switch (format) {
    case 'html':
      return htmlReport(account);
    case 'junit':
      return junitReport(account);
    case 'json':
      return `${JSON.stringify(reportData(account), undefined, 2)}\n`;
  }
}

/** Puts all the forms into the run's folder. */
export async function writeReports({ files }: KeadmPlatform, folder: string, account: RunAccount): Promise<void> {
  await Promise.all(
    REPORT_FORMATS.map(async (format) => files.replace(join(folder, FILES[format]), reportIn(format, account))),
  );
}

function reportPage(folder: string): string {
  return join(folder, FILES.html);
}

/** What a run that has ended returns to its caller; programs were sent everything while it happened. */
export function runResult(
  environment: Pick<KeadmEnvironment, 'variables'>,
  account: RunAccount,
  folder: string,
): CommandResult {
  const next = nextLines(environment, folder, account, account.outcome ?? '');
  return {
    data: { ...reportData(account), folder },
    text: [summaryText(account), ...next, `Report: ${reportPage(folder)}`].join('\n'),
    exitCode: exitCodeOf(account),
    streamed: true,
  };
}

/** A run that someone has stopped is interrupted, whatever became of its nodes. */
export function exitCodeOf({ outcome, halted }: Pick<RunAccount, 'outcome' | 'halted'>): number {
  if (outcome === 'all-well') return 0;
  if (outcome === 'some-failed') return ERROR_CODES.BATCH_FAILED;
  if (outcome === 'halted' && halted?.by === 'rule') return ERROR_CODES.BATCH_HALTED;
  return ERROR_CODES.INTERRUPTED;
}
