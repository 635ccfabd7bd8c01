import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A file in which a text was found. */
export interface FoundFile {
  readonly path: string;
  /** Whether its mode lets everybody read it. */
  readonly readableByAll: boolean;
}

/** Programs are bigger, and hold nothing a run of them has left. */
const MAX_BYTES = 64 * 1024 * 1024;
const OTHERS_READ = 0o004;

/** The files below a folder that contain one of the texts; a missing folder contains none. */
export async function filesContaining(folder: string, texts: readonly string[]): Promise<readonly FoundFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const found: FoundFile[] = [];
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const { size, mode } = await lstat(path);
    if (size > MAX_BYTES) continue;
    const bytes = await readFile(path);
    if (texts.some((text) => bytes.includes(text))) found.push({ path, readableByAll: (mode & OTHERS_READ) !== 0 });
  }
  return found;
}
