import { reportData, summaryText, type RunAccount } from '@fenestra/fleet';
import { ERROR_CODES } from '@fenestra/kernel';
import type { CommandResult } from '../cli/result.ts';
import type { KeadmEnvironment } from '../platform.ts';
import { reportPage } from './run-reports.ts';
import { nextLines } from './run-standing.ts';

/** What a run that has ended returns to whoever started it; programs were told everything while it happened. */
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

/** A run that somebody has stopped is interrupted, whatever became of its nodes. */
export function exitCodeOf({ outcome, halted }: Pick<RunAccount, 'outcome' | 'halted'>): number {
  if (outcome === 'all-well') return 0;
  if (outcome === 'some-failed') return ERROR_CODES.BATCH_FAILED;
  if (outcome === 'halted' && halted?.by === 'rule') return ERROR_CODES.BATCH_HALTED;
  return ERROR_CODES.INTERRUPTED;
}
