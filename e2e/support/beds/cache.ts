import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { withFileLock } from './file-lock.ts';
import { timed } from './progress.ts';

/** A folder that is slow to make and never changed afterwards. Another recipe makes another folder. */
export interface CachedFolder {
  readonly name: string;
  /** Everything that decides what the result looks like. */
  readonly recipe: readonly string[];
  build(folder: string, signal: AbortSignal): Promise<void>;
}

/** Where the beds keep what is slow to make: `$FENESTRA_CACHE`, or `~/.cache/fenestra`. */
export function cacheFolder(): string {
  return process.env['FENESTRA_CACHE'] ?? join(homedir(), '.cache', 'fenestra');
}

/** The path of the finished folder. It is built under another name first, and by one process at a time. */
export async function cached(folder: CachedFolder, signal: AbortSignal): Promise<string> {
  const stamp = createHash('sha256').update(JSON.stringify(folder.recipe)).digest('hex').slice(0, 12);
  const path = join(cacheFolder(), `${folder.name}-${stamp}`);
  if (existsSync(path)) return path;
  await mkdir(cacheFolder(), { recursive: true });
  await withFileLock(`${path}.lock`, async () => buildOnce(folder, path, signal), signal);
  return path;
}

async function buildOnce(folder: CachedFolder, path: string, signal: AbortSignal): Promise<void> {
  if (existsSync(path)) return;
  const unfinished = `${path}.unfinished`;
  // Only the holder of the lock builds here, so what is found is what a killed run left.
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished);
  await timed(`building ${folder.name}`, async () => folder.build(unfinished, signal));
  await rename(unfinished, path);
}
