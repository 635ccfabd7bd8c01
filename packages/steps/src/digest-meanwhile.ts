import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { fileError } from '@fenestra/kernel';

/** Programs are large: in small pieces, handing them over would take longer than hashing them. */
const PIECE_BYTES = 512 * 1024;

/** A file's digest by this thread, piece by piece with what else there is to do in between. */
export async function digestMeanwhile(path: string): Promise<string> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, 'r');
    return await digestOfContent(file);
  } catch (cause) {
    throw fileError(cause, `read "${path}"`);
  } finally {
    await file?.close();
  }
}

async function digestOfContent(file: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, PIECE_BYTES);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(buffer.subarray(0, bytesRead));
  }
}
