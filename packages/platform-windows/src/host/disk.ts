import { statfs } from 'node:fs/promises';
import { win32 } from 'node:path';
import { fileError, systemCodeOf } from '@fenestra/kernel';
import type { DiskFacts } from '@fenestra/platform';

const ABSENT = ['ENOENT', 'ENOTDIR'];

/** Size and free space of the disk that holds the path, or would. */
export async function readDisk(path: string): Promise<DiskFacts> {
  const full = win32.resolve(path);
  try {
    const { bsize, blocks, bavail } = await statfs(full);
    return { path: full, totalBytes: bsize * blocks, freeBytes: bsize * bavail };
  } catch (cause) {
    const parent = win32.dirname(full);
    if (parent === full || !ABSENT.includes(systemCodeOf(cause))) throw fileError(cause, `read the disk of "${path}"`);
    return readDisk(parent);
  }
}
