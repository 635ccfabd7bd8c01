import { type FileHandle, lstat, open, rename, rm, readdir, unlink } from 'node:fs/promises';
import { dirname, basename, join } from 'node:path';
import { createHash, randomBytes } from 'node:crypto';
import { OperatorError } from '@fenestra/kernel';
import { type CopyOptions, type CopyResult, throwIfAborted } from '@fenestra/platform';
import { syncPath } from './create-folder.ts';

/** What to put where. */
export interface Placement<Result> {
  readonly path: string;
  /** Where the content grows, in the same folder. What someone has left there goes. */
  readonly temporary: string;
  readonly mode: number;
  /** Writes the content. A throw leaves the old file as it was. */
  readonly fill: (handle: FileHandle) => Promise<Result>;
}

/**
 * Fills a temporary file beside `path`, flushes it and moves it into place, so that readers and power cuts
 * meet the old file or the new one, whole.
 */
async function placeFile<Result>({ path, temporary, mode, fill }: Placement<Result>): Promise<Result> {
  await rm(temporary, { force: true });
  // Created again, which follows no link and never writes to a file that someone else owns or has open.
  const handle = await open(temporary, 'wx', 0o600);
  try {
    const result = await finish(handle, temporary, mode, fill);
    await rename(temporary, path);
    await syncPath(dirname(path));
    return result;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function finish<Result>(
  handle: FileHandle,
  temporary: string,
  mode: number,
  fill: (handle: FileHandle) => Promise<Result>,
): Promise<Result> {
  try {
    const result = await fill(handle);
    await handle.chmod(mode);
    await handle.sync();
    await requireStillThere(handle, temporary);
    return result;
  } finally {
    await handle.close();
  }
}

/** Another run that has taken the name in the meantime is not done yet, and its half must not come into place. */
async function requireStillThere(handle: FileHandle, temporary: string): Promise<void> {
  const [own, found] = await Promise.all([handle.stat(), lstat(temporary)]);
  if (own.ino === found.ino) return;
  throw new OperatorError('FILE_IN_USE', `Cannot finish "${temporary}", because another run writes it too`, {
    hint: 'Wait until the other run has ended, then run the command again.',
  });
}

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

const LEFT_BEHIND_MS = 10 * 60 * 1000;
/** In characters, so that the temporary name stays within 255 bytes whatever the target's name is. */
const MAX_STEM = 64;

/** Puts content in place in one move, and deletes what earlier replacements of the same file left when they were killed. */
export async function replaceFile(path: string, content: string | Uint8Array, mode: number): Promise<void> {
  const temporary = join(dirname(path), `${stemOf(path)}${randomBytes(8).toString('hex')}.tmp`);
  await placeFile({ path, temporary, mode, fill: (handle) => handle.writeFile(content) });
  // The new file is in place: leftovers that cannot be deleted now are not worth an error.
  await deleteLeftovers(path).catch(() => undefined);
}

function stemOf(path: string): string {
  return `.${basename(path).slice(0, MAX_STEM)}.`;
}

/** No replacement takes minutes; a younger file may belong to one that goes on right now. */
async function deleteLeftovers(path: string): Promise<void> {
  const [folder, stem] = [dirname(path), stemOf(path)];
  const names = (await readdir(folder)).filter((name) => name.startsWith(stem));
  for (const name of names.filter((found) => /^[0-9a-f]{16}\.tmp$/.test(found.slice(stem.length)))) {
    const { mtimeMs } = await lstat(join(folder, name));
    if (Date.now() - mtimeMs > LEFT_BEHIND_MS) await unlink(join(folder, name));
  }
}
