import { readFile } from 'node:fs/promises';
import { decodeFrames, fileError, OperatorError, openFrameFile, parseJson } from '@fenestra/kernel';
import { RunRecord } from './record.ts';

/** The content of a run's journal on disk, without an incomplete last record. */
export interface JournalContent {
  readonly records: readonly RunRecord[];
  readonly validBytes: number;
}

/** The journal file of a run, open for writing. */
export interface JournalFile {
  /** Resolves when the record is on disk. Records added during a flush share the next one. */
  append(record: RunRecord): Promise<void>;
  close(): Promise<void>;
}

/** Reads a journal; rejects if it is damaged anywhere but at its end. */
export async function readJournalFile(path: string): Promise<JournalContent> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw fileError(cause, `read the journal "${path}"`);
  });
  const { texts, validBytes, state } = decodeFrames(bytes);
  if (state === 'corrupt') throw corrupt(path, `bad record at byte ${validBytes}`);
  return { records: texts.map((text, line) => parseRecord(path, line, text)), validBytes };
}

/** Opens a journal for appending after its valid part; creates it if it is missing, readable by its owner only. */
export async function openJournalFile(path: string, validBytes: number): Promise<JournalFile> {
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
  throw corrupt(path, `record ${line + 1} has an unknown form`);
}

function corrupt(path: string, damage: string): OperatorError {
  return new OperatorError('JOURNAL_CORRUPT', `Cannot trust the journal "${path}": ${damage}`, {
    hint: 'Restore it from a backup of the disk, or start a new run: it skips nodes that are up to date.',
    details: { path },
  });
}
