import type { Writable } from 'node:stream';

/** Writes everything, then ends. */
export async function writeThrough(target: Writable, source: AsyncIterable<Uint8Array | string>): Promise<void> {
  await writeAll(target, source);
  target.end();
}

/**
 * Writes piece after piece, each only when the one before has left this process, so that all of them may lie in the same
 * memory. A reader that has gone away is no failure of ours; a source that cannot be read is.
 */
export async function writeAll(target: Writable, source: AsyncIterable<Uint8Array | string>): Promise<void> {
  const gone = new Promise<void>((resolve) => target.once('close', resolve));
  target.on('error', () => undefined);
  for await (const piece of source) {
    if (target.destroyed) return;
    const written = new Promise<void>((resolve) => target.write(piece, () => resolve()));
    await Promise.race([written, gone]);
  }
}
