import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { fileError } from '@fenestra/kernel';
import { type CopyOptions, type CopyResult, throwIfAborted } from '@fenestra/platform';
import type { Native } from '../native.ts';
import { moveFile } from './move.ts';
import { createPartial, withPartial } from './partial.ts';

const CHUNK_BYTES = 1024 * 1024;

interface CopyRequest {
  readonly from: string;
  readonly to: string;
  readonly options: CopyOptions;
}

/** Copies through a partial file beside the target, flushes it, and moves it into place. */
export async function copyFile(native: Native, request: CopyRequest, signal: AbortSignal): Promise<CopyResult> {
  const { from, to } = request;
  const action = `copy "${from}" to "${to}"`;
  try {
    return await withPartial(to, async (partial) => {
      const result = await fill(partial, request, signal);
      await moveFile(native, { from: partial, to, replace: true, action });
      return result;
    });
  } catch (cause) {
    throw fileError(cause, action);
  }
}

async function fill(partial: string, request: CopyRequest, signal: AbortSignal): Promise<CopyResult> {
  const source = await open(request.from, 'r');
  try {
    const target = await createPartial(partial);
    try {
      const result = await pump(source, target, request, signal);
      await target.sync();
      return result;
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function pump(source: FileHandle, target: FileHandle, request: CopyRequest, signal: AbortSignal) {
  const { size } = await source.stat();
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let bytes = 0;
  for (;;) {
    throwIfAborted(`copying "${request.from}"`, signal);
    const { bytesRead } = await source.read(chunk, 0, chunk.length, null);
    if (bytesRead === 0) return { bytes, sha256: hash.digest('hex') };
    const part = chunk.subarray(0, bytesRead);
    hash.update(part);
    await target.writeFile(part);
    bytes += bytesRead;
    request.options.onProgress?.(bytes, Math.max(bytes, size));
  }
}
