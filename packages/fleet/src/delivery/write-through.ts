import type { Writable } from 'node:stream';

/**
 * Writes piece after piece, each only when the one before has been taken, so that a source may use the same memory again,
 * then ends. A reader that has gone away is not a failure here; a source that cannot be read is.
 */
export async function writeThrough(target: Writable, source: AsyncIterable<Uint8Array | string>): Promise<void> {
  const gone = new Promise<void>((resolve) => target.once('close', resolve));
  target.on('error', () => undefined);
  for await (const piece of source) {
    if (target.destroyed) return;
    const written = new Promise<void>((resolve) => target.write(piece, () => resolve()));
    await Promise.race([written, gone]);
  }
  target.end();
}
