import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { syncPath } from './sync.ts';

/** Creates a folder and its parents, on the disk when it returns; returns the topmost one it had to create. */
export async function createFolder(path: string): Promise<string | undefined> {
  const topmost = await mkdir(path, { recursive: true, mode: 0o755 });
  if (topmost === undefined) return undefined;
  let folder = resolve(path);
  while (folder !== dirname(topmost)) {
    folder = dirname(folder);
    await syncPath(folder);
  }
  return topmost;
}
