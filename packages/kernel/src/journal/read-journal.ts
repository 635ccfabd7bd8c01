import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileError, OperatorError } from '../errors.ts';
import { placeSteps } from '../plan/step.ts';
import { decodeFrames } from './frame.ts';
import { advance, progressOf, type PlanProgress } from './progress.ts';
import { JournalRecord, parseJson, type BegunRecord } from './record.ts';

/** Ends the name of a journal that was set aside. */
export const SET_ASIDE_SUFFIX = '.set-aside';

/** What a journal on disk says. `plan` is missing if not even its opening record was finished: then nothing was done. */
export interface JournalContent {
  readonly path: string;
  readonly records: readonly JournalRecord[];
  readonly validBytes: number;
  readonly torn: boolean;
  readonly plan: PlanProgress | undefined;
}

/** As much of a journal as is sound, and what is wrong with the rest. */
export interface InspectedJournal extends JournalContent {
  readonly damage: string | undefined;
}

/** Reads a journal that must be sound. A torn last record is left out; anything worse is `JOURNAL_CORRUPT`. */
export async function readJournal(path: string): Promise<JournalContent> {
  return requireSound(await inspectJournal(path));
}

/** Throws `JOURNAL_CORRUPT` for a journal that is damaged. */
export function requireSound(inspected: InspectedJournal): JournalContent {
  const { path, damage, validBytes, records } = inspected;
  if (damage === undefined) return inspected;
  throw new OperatorError('JOURNAL_CORRUPT', `Cannot trust the journal "${path}": ${damage}`, {
    hint: `Read it with "keadm journal show ${path}"; restore it from a backup of the disk, or rename it with "keadm journal set-aside ${path}" once you know that the node works.`,
    details: { path, byte: validBytes, goodRecords: records.length },
  });
}

/** Reads as much of a journal as is sound, and says in words what is wrong with the rest. */
export async function inspectJournal(path: string): Promise<InspectedJournal> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw fileError(cause, `read the journal "${path}"`);
  });
  const frames = decodeFrames(bytes);
  const { records, damage } = parseRecords(frames.texts);
  const [first] = records;
  return {
    path,
    records,
    validBytes: frames.validBytes,
    torn: frames.state === 'torn',
    plan: first?.type === 'begun' ? records.reduce(advance, progressOf(first)) : undefined,
    damage:
      damage ??
      (frames.state === 'corrupt' ? `bad record at byte ${frames.validBytes}` : undefined) ??
      (first?.type === 'begun' ? copyDamage(path, first) : undefined),
  };
}

/** A copy under another name would be taken for another run, and undone if it has lost its tail. */
function copyDamage(path: string, { journal }: BegunRecord): string | undefined {
  const name = basename(path);
  return journal === undefined || [journal, `${journal}${SET_ASIDE_SUFFIX}`].includes(name)
    ? undefined
    : `it is a copy of "${journal}"`;
}

function parseRecords(texts: readonly string[]): { records: readonly JournalRecord[]; damage: string | undefined } {
  const records: JournalRecord[] = [];
  for (const [line, text] of texts.entries()) {
    const parsed = JournalRecord.safeParse(parseJson(text));
    if (!parsed.success || !follows(parsed.data, records)) {
      return { records, damage: `record ${line + 1} is not one that this version writes there` };
    }
    records.push(parsed.data);
  }
  return { records, damage: undefined };
}

/** The opening record comes first and once; the others speak of steps that it announced. */
function follows(record: JournalRecord, [opening]: readonly JournalRecord[]): boolean {
  if (opening?.type !== 'begun') return record.type === 'begun';
  return record.type !== 'begun' && (!('index' in record) || record.index < placeSteps(opening.plan).length);
}
