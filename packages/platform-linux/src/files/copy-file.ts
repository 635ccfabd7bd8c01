import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { type CopyOptions, type CopyResult, throwIfAborted } from '@fenestra/platform';
import { placeFile } from './place-file.ts';

const CHUNK_BYTES = 1024 * 1024;
const PRIVATE_MODE = 0o600;

/** Copies in pieces to `<to>.partial`, hashing on the way; the target appears only once it is whole. */
export async function copyFile(
  from: string,
  to: string,
  options: CopyOptions,
  signal: AbortSignal,
): Promise<CopyResult> {
  const activity = `copying "${from}"`;
  throwIfAborted(activity, signal);
  const source = await open(from, 'r');
  try {
    const { size } = await source.stat();
    const report = (copied: number): void => {
      options.onProgress?.(copied, Math.max(copied, size));
      throwIfAborted(activity, signal);
    };
    const fill = (target: FileHandle): Promise<CopyResult> => pump(source, target, report);
    // Always the same name, so that what a killed copy leaves behind goes with the next one.
    return await placeFile({ path: to, temporary: `${to}.partial`, mode: options.mode ?? PRIVATE_MODE, fill });
  } finally {
    await source.close();
  }
}

async function pump(source: FileHandle, target: FileHandle, report: (copied: number) => void): Promise<CopyResult> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let bytes = 0;
  for (;;) {
    const { bytesRead } = await source.read(buffer, 0, CHUNK_BYTES);
    const piece = buffer.subarray(0, bytesRead);
    const written = target.appendFile(piece);
    // While the kernel takes the piece.
    hash.update(piece);
    await written;
    bytes += bytesRead;
    report(bytes);
    if (bytesRead === 0) return { bytes, sha256: hash.digest('hex') };
  }
}
