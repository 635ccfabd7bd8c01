import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileError } from '@fenestra/kernel';
import { digestAside } from './digest-aside.ts';
import { pathExists } from './existing-path.ts';

/** Programs are large: in small pieces, handing them over would take longer than hashing them. */
const PIECE_BYTES = 512 * 1024;
/** From here on a thread of its own is worth its start. */
const LARGE_BYTES = 32 * 1024 * 1024;

/** Where a file that was replaced is kept until the plan is through; its digest tells one version from another. */
export function previousVersion(path: string, digest: string): string {
  return join(dirname(path), `previous-${digest.slice(0, 12)}-${basename(path)}`);
}

/** The digest a plan promises for a file, in lower-case hexadecimal. */
export async function digestOf(path: string): Promise<string> {
  return reading(path, async (file) => {
    const { size } = await file.stat();
    return size < LARGE_BYTES ? digestOfContent(file) : digestAside(path);
  });
}

/** The same by this thread, piece by piece with what else there is to do in between: another thread costs more to start. */
export async function digestMeanwhile(path: string): Promise<string> {
  return reading(path, digestOfContent);
}

async function reading(path: string, work: (file: FileHandle) => Promise<string>): Promise<string> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, 'r');
    return await work(file);
  } catch (cause) {
    throw fileError(cause, `read "${path}"`);
  } finally {
    await file?.close();
  }
}

async function digestOfContent(file: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, PIECE_BYTES);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(buffer.subarray(0, bytesRead));
  }
}

/** The digest of a file, or `null` if there is none. */
export async function digestIfAny(path: string): Promise<string | null> {
  return (await pathExists(path)) ? digestOf(path) : null;
}
