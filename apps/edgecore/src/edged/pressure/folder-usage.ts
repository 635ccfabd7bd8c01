import type { Stats } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';

/** What a folder uses of its disk. */
export interface FolderUsage {
  readonly bytes: number;
  readonly inodes: number;
}

const BLOCK_BYTES = 512;
/** So many files are asked about at a time. A container can make any number of them in one folder. */
const BATCH = 64;

/**
 * Measures a folder as `du -x` does: links are not followed, other file systems are left out, and a file with several
 * names counts once. What disappears during this does not count; a folder that is not there uses nothing.
 */
export async function folderUsage(folder: string, signal: AbortSignal): Promise<FolderUsage> {
  const root = await statsOf(folder);
  if (root === undefined) return { bytes: 0, inodes: 0 };
  const linked = new Set<number>();
  let { blocks } = root;
  let inodes = 1;
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for await (const [path, stats] of entriesOf(next)) {
      signal.throwIfAborted();
      if (stats.dev !== root.dev || linked.has(stats.ino)) continue;
      blocks += stats.blocks;
      inodes += 1;
      if (stats.isDirectory()) folders.push(path);
      else if (stats.nlink > 1) linked.add(stats.ino);
    }
  }
  return { bytes: blocks * BLOCK_BYTES, inodes };
}

async function* entriesOf(folder: string): AsyncGenerator<readonly [string, Stats]> {
  for await (const paths of batchesOf(folder)) {
    const all = await Promise.all(paths.map(async (path) => [path, await statsOf(path)] as const));
    for (const [path, stats] of all) if (stats !== undefined) yield [path, stats];
  }
}

async function* batchesOf(folder: string): AsyncGenerator<readonly string[]> {
  const entries = await opendir(folder, { bufferSize: BATCH }).catch(() => undefined);
  let batch: string[] = [];
  for await (const { name } of entries ?? []) {
    batch.push(join(folder, name));
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

async function statsOf(path: string): Promise<Stats | undefined> {
  return lstat(path).catch(() => undefined);
}
