import { open } from 'node:fs/promises';

const MOST_BYTES = 16 * 1024;

/** The last lines of a log; none where it cannot be read. */
export async function lastLines(path: string, count: number): Promise<readonly string[]> {
  try {
    await using file = await open(path, 'r');
    const { size } = await file.stat();
    const start = Math.max(0, size - MOST_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MOST_BYTES), 0, MOST_BYTES, start);
    const lines = buffer.toString('utf8', 0, bytesRead).trimEnd().split('\n');
    // The first one may have been cut.
    return lines.slice(start === 0 ? 0 : 1).slice(-count);
  } catch {
    return [];
  }
}
