import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Holds the name of the newest journal whose run has ended. */
const MARK = 'newest-ended';

/**
 * The name of the newest journal whose run has ended; empty if it is unknown. It is kept apart from the journals, so
 * that one that loses its last record cannot pass for unfinished.
 */
export async function readEndedMark(folder: string): Promise<string> {
  return readFile(join(folder, MARK), 'utf8').catch(() => '');
}

/** Remembers that this journal's run has ended. The journal itself is what counts, so a failure is ignored. */
export async function writeEndedMark(folder: string, name: string): Promise<void> {
  const path = join(folder, MARK);
  try {
    await writeFile(`${path}.tmp`, name, { mode: 0o600, flush: true });
    await rename(`${path}.tmp`, path);
  } catch {
    // For example on a full disk.
  }
}
