import { createReadStream } from 'node:fs';
import { lstat, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isInsideParcel, type ParcelEntry } from '../far-end/messages.ts';
import { fileError, OperatorError } from '@fenestra/kernel';
import { fileDigest } from '../far-end/receive.ts';

/** On the node only the owner may change a file: keadm refuses scripts and configuration that others can write to. */
const PERMISSION_BITS = 0o755;
const BLOCK_BYTES = 256 * 1024;

/** A file of a parcel. */
export type ParcelFile = Extract<ParcelEntry, { kind: 'file' }>;

/** What goes to a machine besides the program: the content of a folder of this one. */
export interface Parcel {
  readonly folder: string;
  /** Folders before what is in them. */
  readonly entries: readonly ParcelEntry[];
  readonly bytes: number;
}

/** Nothing. */
export const EMPTY_PARCEL: Parcel = { folder: '', entries: [], bytes: 0 };

/** Reads what a folder holds, and the digest of each file. */
export async function readParcel(folder: string): Promise<Parcel> {
  try {
    const entries = await readFolder(folder, '');
    const bytes = entries.reduce((sum, entry) => sum + (entry.kind === 'file' ? entry.size : 0), 0);
    return { folder, entries, bytes };
  } catch (cause) {
    throw fileError(cause, `read "${folder}", which is to be copied to the node`);
  }
}

/** The bytes of one file of a parcel, as it is now. */
export function fileBytes(path: string, size: number): AsyncIterable<Uint8Array> {
  // No more than what was announced, should the file have grown in the meantime.
  return size === 0 ? noBytes() : createReadStream(path, { end: size - 1, highWaterMark: BLOCK_BYTES });
}

/** The same for readers that are done with a block when they request the next: all blocks share one buffer. */
export async function* fileBlocks(path: string, size: number): AsyncGenerator<Uint8Array> {
  await using file = await open(path);
  const memory = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, size));
  for (let at = 0; at < size;) {
    const { bytesRead } = await file.read(memory, 0, Math.min(memory.length, size - at), at);
    if (bytesRead === 0) return;
    yield memory.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/** The bytes, with the size of each block reported once it has been taken. */
export async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  count: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const block of bytes) {
    yield block;
    count(block.length);
  }
}

/** The files of a parcel. */
export function parcelFiles({ entries }: Parcel): readonly ParcelFile[] {
  return entries.filter((entry) => entry.kind === 'file');
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}

async function readFolder(folder: string, below: string): Promise<readonly ParcelEntry[]> {
  const names = (await readdir(join(folder, below))).toSorted();
  const found = await Promise.all(
    names.map(async (name) => readEntry(folder, below === '' ? name : `${below}/${name}`)),
  );
  return found.flat();
}

/** Links to files are sent as the files they lead to. */
async function readEntry(folder: string, path: string): Promise<readonly ParcelEntry[]> {
  const whole = join(folder, path);
  if (!isInsideParcel(path) || /[\r\n]/.test(path))
    throw unsendable(whole, 'its name has characters that some systems do not allow');
  const found = await stat(whole);
  const mode = found.mode & PERMISSION_BITS;
  // A link may lead to a folder that it is in itself.
  if (found.isDirectory() && (await lstat(whole)).isSymbolicLink()) throw unsendable(whole, 'it is a link to a folder');
  if (found.isDirectory()) return [{ kind: 'folder', path, mode }, ...(await readFolder(folder, path))];
  if (!found.isFile()) throw unsendable(whole, 'it is neither a file nor a folder');
  return [{ kind: 'file', path, mode, size: found.size, sha256: await fileDigest(whole) }];
}

function unsendable(path: string, why: string): OperatorError {
  return new OperatorError('FILE_FAILED', `Cannot copy "${path}" to the node: ${why}`, {
    hint: 'Remove it from the folder in "copyFrom", or rename it.',
  });
}
