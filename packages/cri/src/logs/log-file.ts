import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { systemCodeOf } from '@fenestra/kernel';
import type { LogEntry } from './log-entry.ts';
import { entrySplitter } from './split-entries.ts';

/** One open file of a log. It can be renamed, compressed or removed while it is read. */
export interface OpenLogFile {
  /** The entries that have come since the last call. What is no entry is skipped. */
  entries(): AsyncGenerator<LogEntry>;
  close(): Promise<void>;
}

const CHUNK_BYTES = 64 * 1024;

/** Opens a file; `undefined` if it is not there any more. */
export async function openLogFile(path: string, isCompressed: boolean): Promise<OpenLogFile | undefined> {
  try {
    const file = await open(path, 'r');
    const split = entrySplitter();
    const chunks = isCompressed ? () => unpackedChunks(file) : chunkReader(file);
    return {
      async *entries() {
        for await (const chunk of chunks()) yield* split(chunk);
      },
      close: async () => file.close(),
    };
  } catch (cause) {
    if (systemCodeOf(cause) === 'ENOENT') return undefined;
    throw cause;
  }
}

/** Reads to the end of the file, and from there when it is called again. */
function chunkReader(file: FileHandle): () => AsyncGenerator<Buffer> {
  let position = 0;
  return async function* readOn() {
    for (;;) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  };
}

async function* unpackedChunks(file: FileHandle): AsyncGenerator<Buffer> {
  const source = createReadStream('', { fd: file, start: 0, autoClose: false });
  for await (const chunk of source.compose(createGunzip())) yield Buffer.from(chunk);
}
