import { type FileHandle, open, readdir, readFile, stat } from 'node:fs/promises';
import { fileError, systemCodeOf } from '@fenestra/kernel';
import { HEADER_BYTES } from '../executable-target.ts';

/** A small file's content, or `undefined` if there is none. */
export async function readIfAny(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch((cause: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(systemCodeOf(cause))) return undefined;
    throw fileError(cause, `read "${path}"`);
  });
}

/** What is at a path: a folder, or a file of this size. */
export async function lookAt(path: string): Promise<{ readonly isFolder: boolean; readonly size: number }> {
  const found = await stat(path).catch((cause: unknown) => {
    throw fileError(cause, `read "${path}"`);
  });
  return { isFolder: found.isDirectory(), size: found.size };
}

/** The names in a folder, or none if there is no such folder. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((cause: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(systemCodeOf(cause))) return [];
    throw fileError(cause, `read the folder "${folder}"`);
  });
}

/** A file's first bytes, as many as it takes to see what program it is. */
export async function readHeader(path: string): Promise<Buffer> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, 'r');
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } catch (cause) {
    throw fileError(cause, `read "${path}"`);
  } finally {
    await file?.close();
  }
}
