import { open, type FileHandle } from 'node:fs/promises';
import { fileError, systemCodeOf } from '../errors/file-error.ts';
import { encodeFrame } from './frame.ts';

/** A file of frames, open for appending. One append at a time. */
export interface FrameFile {
  readonly path: string;
  /** Returns when all the texts are on disk, a frame each. A failed append leaves the file as it was. */
  append(texts: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Opens a file of frames, creating it if need be, for its owner alone. What is behind `validBytes` is overwritten. */
export async function openFrameFile(path: string, validBytes: number): Promise<FrameFile> {
  const handle = await openPrivate(path);
  let length = validBytes;
  await handle.truncate(length);
  return {
    path,
    async append(texts) {
      const frames = Buffer.concat(texts.map(encodeFrame));
      await writeDurably(handle, frames, length).catch(async (error: unknown) => {
        await handle.truncate(length);
        throw error;
      });
      length += frames.length;
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

async function writeDurably(handle: FileHandle, frames: Buffer, position: number): Promise<void> {
  let written = 0;
  while (written < frames.length) {
    const { bytesWritten } = await handle.write(frames, written, frames.length - written, position + written);
    written += bytesWritten;
  }
  await handle.datasync();
}
