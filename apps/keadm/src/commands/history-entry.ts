import { inspectJournal, type JournalRecord } from '@fenestra/kernel';
import { cleanText } from '@fenestra/platform/terminal-text';

/** How a run ended: `stuck` needs someone's help, `unfinished` is under way or was cut off. */
export type HistoryOutcome = 'applied' | 'reverted' | 'stuck' | 'unfinished' | 'damaged';

/** One command that changed the node, as its journal tells it. */
export interface HistoryEntry {
  readonly journal: string;
  readonly command: string;
  readonly began: string | undefined;
  readonly ended: string | undefined;
  readonly durationSeconds: number | undefined;
  readonly outcome: HistoryOutcome;
  /** The version of the keadm that began it. */
  readonly version: string | undefined;
  /** Whether it was cut off and brought to an end later. */
  readonly recovered: boolean;
  readonly failure: { readonly code: string; readonly message: string } | undefined;
}

/** Reads one journal, whole or damaged. */
export async function readHistoryEntry(path: string): Promise<HistoryEntry> {
  const { records, damage } = await inspectJournal(path);
  return historyEntry(path, records, damage);
}

/** What the records of a journal come to. */
export function historyEntry(
  journal: string,
  records: readonly JournalRecord[],
  damage: string | undefined,
): HistoryEntry {
  const begun = records.find((record) => record.type === 'begun');
  const end = records.find((record) => record.type === 'ended');
  return {
    journal,
    command: begun?.command ?? 'unknown',
    began: begun?.at,
    ended: end?.at,
    durationSeconds: begun === undefined || end === undefined ? undefined : secondsBetween(begun.at, end.at),
    outcome: damage === undefined ? outcomeOf(records) : 'damaged',
    version: begun?.programVersion,
    recovered: records.some(({ type }) => type === 'recovery-begun'),
    failure: damage === undefined ? failureOf(records) : { code: 'JOURNAL_CORRUPT', message: damage },
  };
}

function outcomeOf(records: readonly JournalRecord[]): HistoryOutcome {
  const last = records.at(-1);
  if (last?.type === 'ended') return last.outcome;
  return last?.type === 'stuck' ? 'stuck' : 'unfinished';
}

/** The last failure is what holds a run that is stuck; of one that was undone, the first is why. */
function failureOf(records: readonly JournalRecord[]): HistoryEntry['failure'] {
  const failures = records.filter((record) => record.type === 'turned-back' || record.type === 'stuck');
  return (records.at(-1)?.type === 'stuck' ? failures.at(-1) : failures[0])?.failure;
}

function secondsBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 1000;
}

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
