import { cleanText } from '@fenestra/platform/terminal-text';
import type { HistoryEntry, HistoryOutcome } from './history-entry.ts';

/** How a run ended, in words. */
export const OUTCOME_WORDS: Readonly<Record<HistoryOutcome, string>> = {
  applied: 'done',
  reverted: 'undone',
  stuck: 'stuck',
  unfinished: 'unfinished',
  damaged: 'damaged',
};

/** A line for each run, oldest first, with its failure below it. */
export function historyText(entries: readonly HistoryEntry[]): string {
  if (entries.length === 0) return 'keadm has not changed this node yet';
  const rows = entries.map(columnsOf);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return entries
    .flatMap((entry, index) => [
      (rows[index] ?? [])
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
      ...failureLines(entry),
    ])
    .join('\n');
}

function columnsOf({ began, command, outcome, durationSeconds, version, recovered }: HistoryEntry): readonly string[] {
  const how = `${OUTCOME_WORDS[outcome]}${recovered ? ' by recovery' : ''}`;
  return [
    began === undefined ? 'unknown' : began.slice(0, 19).replace('T', ' '),
    cleanText(command),
    how,
    durationSeconds === undefined ? '' : `${durationSeconds.toFixed(1)} s`,
    version === undefined ? '' : `keadm ${cleanText(version)}`,
  ];
}

function failureLines({ failure }: HistoryEntry): readonly string[] {
  return failure === undefined ? [] : [`  ${failure.code}: ${cleanText(failure.message)}`];
}
