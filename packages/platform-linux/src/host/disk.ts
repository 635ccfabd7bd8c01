import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileError, systemCodeOf } from '@fenestra/kernel';
import type { DiskFacts } from '@fenestra/platform';

/** The disk that holds `path`, or would if the path existed. */
export async function readDisk(path: string): Promise<DiskFacts> {
  let existing = resolve(path);
  for (;;) {
    try {
      const { bsize, blocks, bavail } = await statfs(existing);
      return { path, totalBytes: blocks * bsize, freeBytes: bavail * bsize };
    } catch (cause) {
      const absent = ['ENOENT', 'ENOTDIR'].includes(systemCodeOf(cause)) && existing !== dirname(existing);
      if (!absent) throw fileError(cause, `read the free space of "${path}"`);
      existing = dirname(existing);
    }
  }
}
