import { createHash } from 'node:crypto';
import { chmod, mkdir, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isInsideParcel, ParcelHeader, type ParcelEntry } from './messages/parcel.ts';
import { fileError, OperatorError, parseJson } from '@fenestra/kernel';
import { byteSource, type ByteSource } from './byte-source.ts';
import type { FarEndPorts } from './ports.ts';

type ParcelFile = Extract<ParcelEntry, { kind: 'file' }>;

/** Puts what arrives into a private folder, which is there in whole or not at all. */
export async function unpackParcel(
  folder: string,
  stream: AsyncIterable<Uint8Array>,
  { access, files }: Pick<FarEndPorts, 'access' | 'files'>,
  signal: AbortSignal,
): Promise<void> {
  const source = byteSource(stream);
  const entries = readHeader(await source.line());
  const partial = `${folder}.partial`;
  try {
    await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
    for (const path of [partial, folder]) await files.removeTree(path, dirname(folder), signal);
    await mkdir(partial, { recursive: true, mode: 0o700 });
    await access.makePrivate(partial);
    for (const entry of entries) await unpackEntry(partial, entry, source);
    await rename(partial, folder);
  } catch (error) {
    throw fileError(error, `write the files that were sent to "${folder}"`);
  }
}

function readHeader(line: string): ParcelHeader {
  const header = ParcelHeader.safeParse(parseJson(line));
  if (header.success && header.data.every(({ path }) => isInsideParcel(path))) return header.data;
  throw notWhole('the received content is not a list of files');
}

async function unpackEntry(folder: string, entry: ParcelEntry, source: ByteSource): Promise<void> {
  const path = join(folder, entry.path);
  if (entry.kind === 'file') return unpackFile(path, entry, source);
  await mkdir(path, { mode: 0o700 });
}

async function unpackFile(
  path: string,
  { size, sha256, mode, path: name }: ParcelFile,
  source: ByteSource,
): Promise<void> {
  const digest = createHash('sha256');
  {
    await using file = await open(path, 'wx', 0o600);
    for await (const piece of source.take(size)) {
      digest.update(piece);
      await file.writeFile(piece);
    }
  }
  const found = digest.digest('hex');
  if (found !== sha256) throw notWhole(`"${name}" has the digest ${found}, not ${sha256}`);
  await chmod(path, mode);
}

function notWhole(why: string): OperatorError {
  return new OperatorError('DELIVERY_FAILED', `Cannot use what was sent: ${why}`, { hint: 'Send it again.' });
}
