import { open, rm, type FileHandle } from 'node:fs/promises';
import { fileError, systemCodeOf } from '../errors/file-error.ts';
import { encodeFrame } from './frame.ts';
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
}

/** Opens a journal for appending, creating it if need be, for its owner alone. */
export async function openJournalFile(options: JournalFileOptions): Promise<JournalFile> {
  const { path, spaceReserve, now } = options;
  const handle = await openPrivate(path);
  let length = options.validBytes;
  await handle.truncate(length);

  async function write(frame: Buffer): Promise<void> {
    try {
      await writeDurably(handle, frame, length);
    } catch (error) {
      await handle.truncate(length);
      if (systemCodeOf(error) !== 'ENOSPC') throw error;
      await rm(spaceReserve, { force: true });
      await writeDurably(handle, frame, length);
    }
    length += frame.length;
  }

  return {
    path,
    async append(record) {
      const stamped = { ...record, at: now().toISOString() };
      await write(encodeFrame(JSON.stringify(stamped))).catch((cause: unknown) => {
        throw fileError(cause, `write to the journal "${path}"`);
      });
      return stamped;
    },
    close: async () => handle.close(),
  };
}

async function openPrivate(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r+', 0o600).catch(async (error: unknown) => {
      if (systemCodeOf(error) !== 'ENOENT') throw error;
      return open(path, 'wx+', 0o600);
    });
  } catch (cause) {
    throw fileError(cause, `open the journal "${path}"`);
  }
}

async function writeDurably(handle: FileHandle, frame: Buffer, position: number): Promise<void> {
  let written = 0;
  while (written < frame.length) {
    const { bytesWritten } = await handle.write(frame, written, frame.length - written, position + written);
    written += bytesWritten;
  }
  await handle.datasync();
}
