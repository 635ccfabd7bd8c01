import { readFile } from 'node:fs/promises';
import { decodeFrames, fileError, OperatorError, openFrameFile, parseJson } from '@fenestra/kernel';
import { RunRecord } from './record.ts';

/** What a run's journal on disk says. A torn last record is left out. */
export interface JournalContent {
  readonly records: readonly RunRecord[];
  readonly validBytes: number;
}

/** A run's journal, open for writing. */
export interface RunJournal {
  /** Resolves when the record is on disk. Records that come while others are being flushed share the next flush. */
  append(record: RunRecord): Promise<void>;
  close(): Promise<void>;
}

/** Reads a journal; one that was changed or damaged in the middle is refused. */
export async function readRunJournal(path: string): Promise<JournalContent> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw fileError(cause, `read the journal "${path}"`);
  });
  const { texts, validBytes, state } = decodeFrames(bytes);
  if (state === 'corrupt') throw corrupt(path, `bad record at byte ${validBytes}`);
  return { records: texts.map((text, line) => parseRecord(path, line, text)), validBytes };
}

/** Opens a journal for appending behind what is valid of it, creating it if need be, for its owner alone. */
export async function openRunJournal(path: string, validBytes: number): Promise<RunJournal> {
  const file = await openFrameFile(path, validBytes);
  let waiting: string[] = [];
  let flushing: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  async function flush(before: Promise<void>): Promise<void> {
    await before;
    const texts = waiting;
    waiting = [];
    next = undefined;
    await file.append(texts).catch((cause: unknown) => {
      throw fileError(cause, `write to the journal "${path}"`);
    });
  }

  return {
    async append(record) {
      waiting.push(JSON.stringify(record));
      if (next === undefined) {
        next = flush(flushing);
        flushing = next;
      }
      return next;
    },
    async close() {
      await flushing.catch(() => undefined);
      await file.close();
    },
  };
}

function parseRecord(path: string, line: number, text: string): RunRecord {
  const parsed = RunRecord.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw corrupt(path, `record ${line + 1} is not one that this version writes`);
}

function corrupt(path: string, damage: string): OperatorError {
  return new OperatorError('JOURNAL_CORRUPT', `Cannot trust the journal "${path}": ${damage}`, {
    hint: 'Restore it from a backup of the disk, or begin a new run: nodes that are as wanted already are left alone.',
    details: { path },
  });
}
