import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeFrames, encodeFrame } from './frame.ts';

/** Holds the name of the newest journal whose run has ended. */
const MARK = 'newest-ended';

/**
 * The name of the newest journal whose run has ended; empty if it is unknown, or if its checksum is wrong: a damaged name
 * could be that of a run that has not ended. It is kept apart from the journals, so that one that loses its last record
 * cannot pass for unfinished.
 */
export async function readEndedMark(folder: string): Promise<string> {
  const bytes = await readFile(join(folder, MARK)).catch(() => Buffer.alloc(0));
  const { state, texts } = decodeFrames(bytes);
  return state === 'whole' && texts.length === 1 ? (texts[0] ?? '') : '';
}

/** Remembers that this journal's run has ended. The journal itself is what counts, so a failure is ignored. */
export async function writeEndedMark(folder: string, name: string): Promise<void> {
  const path = join(folder, MARK);
  try {
    await writeFile(`${path}.tmp`, encodeFrame(name), { mode: 0o600, flush: true });
    await rename(`${path}.tmp`, path);
  } catch {
    // For example on a full disk.
  }
}
