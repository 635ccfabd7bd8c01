import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileError, OperatorError, parseJson } from '@fenestra/kernel';
import type { FarEndPorts } from './job-folder.ts';
import { isInsideParcel, type ParcelEntry, ParcelHeader } from './messages.ts';

/** SHA-256 of a file, in lower-case hexadecimal. */
export async function fileDigest(path: string): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), digest);
  return digest.digest('hex');
}

/** Gives a program that has just arrived its final name, if it is what was sent. It may be the one that runs this. */
export async function settleProgram(
  arrived: string,
  { to, sha256 }: { readonly to: string; readonly sha256: string },
  { files }: Pick<FarEndPorts, 'files'>,
): Promise<void> {
  const found = await fileDigest(arrived);
  if (found === sha256) return files.move(arrived, to);
  throw new OperatorError('DELIVERY_FAILED', `Cannot use the program that arrived: its digest is ${found}`, {
    hint: `Send the one with the digest ${sha256} again.`,
    details: { found, expected: sha256 },
  });
}

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
  throw notWhole('the received data is not a list of files');
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

const NEWLINE = 0x0a;

/** Bytes that arrive in pieces of any size, taken in pieces of the sizes one wants. */
interface ByteSource {
  /** The text up to the next line's end, which is left out. */
  line(): Promise<string>;
  /** So many bytes, in pieces; fewer only if the source has ended. */
  take(size: number): AsyncGenerator<Buffer>;
}

/** Reads a stream from where it is; nothing of it is lost between the calls. */
export function byteSource(stream: AsyncIterable<Uint8Array>): ByteSource {
  const pieces = stream[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  const more = async (): Promise<boolean> => {
    const { done, value } = await pieces.next();
    if (done === true) return false;
    rest = rest.length === 0 ? Buffer.from(value) : Buffer.concat([rest, value]);
    return true;
  };
  const cut = (size: number): Buffer => {
    const piece = rest.subarray(0, size);
    rest = rest.subarray(size);
    return piece;
  };
  return {
    async line() {
      while (!rest.includes(NEWLINE) && (await more()));
      const end = rest.indexOf(NEWLINE);
      const line = cut(end === -1 ? rest.length : end + 1).toString('utf8');
      return end === -1 ? line : line.slice(0, -1);
    },
    async *take(size) {
      for (let left = size; left > 0;) {
        if (rest.length === 0 && !(await more())) return;
        const piece = cut(left);
        left -= piece.length;
        yield piece;
      }
    },
  };
}
