import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import type { CopyOptions, CopyResult } from '@fenestra/platform';
import type { Native } from '../native.ts';
import { refuseIfAborted } from '../waiting.ts';
import { moveFile } from './move.ts';
import { withTemporary } from './temporary.ts';

const CHUNK_BYTES = 1024 * 1024;

interface CopyRequest {
  readonly from: string;
  readonly to: string;
  readonly options: CopyOptions;
}

/** Copies through a temporary file beside the target, flushes it, and moves it into place. */
export async function copyFile(native: Native, request: CopyRequest, signal: AbortSignal): Promise<CopyResult> {
  const { from, to } = request;
  const action = `copy "${from}" to "${to}"`;
  return withTemporary(to, action, async (temporary) => {
    const source = await open(from, 'r');
    try {
      const result = await fill(source, temporary, request, signal);
      await moveFile(native, { from: temporary, to, replace: true, action });
      return result;
    } finally {
      await source.close();
    }
  });
}

async function fill(source: FileHandle, temporary: string, request: CopyRequest, signal: AbortSignal) {
  const target = await open(temporary, 'wx');
  try {
    const result = await pump(source, target, request, signal);
    await target.sync();
    return result;
  } finally {
    await target.close();
  }
}

async function pump(source: FileHandle, target: FileHandle, request: CopyRequest, signal: AbortSignal) {
  const { size } = await source.stat();
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let bytes = 0;
  for (;;) {
    refuseIfAborted(`the copy of "${request.from}"`, signal);
    const { bytesRead } = await source.read(chunk, 0, chunk.length, null);
    if (bytesRead === 0) return { bytes, sha256: hash.digest('hex') };
    const part = chunk.subarray(0, bytesRead);
    hash.update(part);
    await target.writeFile(part);
    bytes += bytesRead;
    request.options.onProgress?.(bytes, Math.max(bytes, size));
  }
}
