import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileError, systemCodeOf } from '../errors.ts';
import { openFrameFile } from './frame.ts';
import type { JournalRecord, NewRecord } from './record.ts';

/** A journal open for writing. */
export interface JournalFile {
  readonly path: string;
  /** Returns when the record is on disk. A failed append leaves the file as it was. */
  append(record: NewRecord): Promise<JournalRecord>;
  close(): Promise<void>;
}

/** What a journal file is opened with. */
export interface JournalFileOptions {
  readonly path: string;
  /** Where the next record goes: a torn one behind it is overwritten. */
  readonly validBytes: number;
  /** A file to give up when the disk is full, so that the last records of a revert still fit. */
  readonly spaceReserve: string;
  readonly now: () => Date;
  /** Called when the record is on disk that says how the run ended. */
  readonly onEnded: () => Promise<void>;
}

/** Opens a journal for appending, creating it if need be, for its owner alone. */
export async function openJournalFile(options: JournalFileOptions): Promise<JournalFile> {
  const { path, spaceReserve, now, onEnded } = options;
  const file = await openFrameFile(path, options.validBytes);

  async function write(text: string): Promise<void> {
    await file.append([text]).catch(async (error: unknown) => {
      if (systemCodeOf(error) !== 'ENOSPC') throw error;
      await rm(spaceReserve, { force: true });
      await file.append([text]);
    });
  }

  return {
    path,
    async append(record) {
      const name = record.type === 'begun' ? { journal: basename(path) } : {};
      const stamped = { ...record, ...name, at: now().toISOString() };
      await write(JSON.stringify(stamped)).catch((cause: unknown) => {
        throw fileError(cause, `write to the journal "${path}"`);
      });
      if (record.type === 'ended') await onEnded();
      return stamped;
    },
    close: async () => file.close(),
  };
}
