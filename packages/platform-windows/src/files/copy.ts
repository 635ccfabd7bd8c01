import { createHash } from 'node:crypto';
import { open, type FileHandle, lstat, rm, unlink } from 'node:fs/promises';
import { constants } from 'node:fs';
import { fileError, OperatorError, systemCodeOf } from '@fenestra/kernel';
import { type CopyOptions, type CopyResult, throwIfAborted } from '@fenestra/platform';
import type { Native } from '../native.ts';
import { moveFile } from './move.ts';

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
      const result = await fillPartial(partial, request, signal);
      await moveFile(native, { from: partial, to, replace: true, action });
      return result;
    });
  } catch (cause) {
    throw fileError(cause, action);
  }
}

async function fillPartial(partial: string, request: CopyRequest, signal: AbortSignal): Promise<CopyResult> {
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

/** libuv's flag for a file that no one else may open in the meantime. Only Windows knows it. */
const UNSHARED = 0x1000_0000;
const CREATE_NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | UNSHARED;

/**
 * Runs `fill` with the name under which a copy to `path` grows, and removes what is there if that fails. The name is
 * always the same, so that whatever a killed copy left behind goes with the next one.
 */
export async function withPartial<T>(path: string, fill: (partial: string) => Promise<T>): Promise<T> {
  const partial = `${path}.partial`;
  await removeLeftover(partial);
  try {
    return await fill(partial);
  } catch (cause) {
    // What failed is what matters; a leftover that cannot be removed either must not hide it.
    await rm(partial, { force: true }).catch(() => undefined);
    throw cause;
  }
}

/** Creates the partial file for one writer alone: a second copy to the same target is refused, not mixed in. */
export async function createPartial(partial: string): Promise<FileHandle> {
  return open(partial, CREATE_NEW);
}

async function removeLeftover(partial: string): Promise<void> {
  try {
    const found = await lstat(partial);
    if (!found.isFile()) throw notAFile(partial);
    await unlink(partial);
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT') throw error;
  }
}

function notAFile(partial: string): OperatorError {
  return new OperatorError('UNSAFE_PATH', `Cannot write "${partial}", because it is a link or a folder`, {
    hint: `Delete "${partial}", then run the command again.`,
  });
}
