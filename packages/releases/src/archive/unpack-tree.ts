import { createReadStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join, basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { createHash } from 'node:crypto';
import { fileError, OperatorError, systemCodeOf } from '@fenestra/kernel';
import type { ParsedTarEntry } from 'modern-tar';
import { readTextIfAny } from '@fenestra/platform';
import { releaseInvalid, digestMismatch } from '../release-errors.ts';
import { checksumName, parseChecksum } from '../manifest/upstream-release.ts';
import { requireHarmless, readMember, readEntries } from './read-member.ts';

const EXECUTABLE_MODE = 0o755;

/** What to unpack, and where to. */
export interface UnpackedTree {
  readonly archive: string;
  /** The folder of the archive whose content is wanted. */
  readonly part: string;
  readonly to: string;
}

/** Unpacks all files below one folder of a gzipped tar archive. One with links, or with names that lead out of it, is refused. */
export async function unpackTree(tree: UnpackedTree, signal: AbortSignal): Promise<void> {
  const { archive, part, to } = tree;
  let count = 0;
  try {
    await pipeline(
      createReadStream(archive),
      createGunzip(),
      async (tar: AsyncIterable<Buffer>) => {
        count = await readEntries(tar, async (entries) => writeAll(entries, part, to));
      },
      { signal },
    );
  } catch (cause) {
    throw explained(cause, tree);
  }
  if (count === 0) throw releaseInvalid(`unpack "${archive}": it contains no files in "${part}/"`);
}

async function writeAll(entries: ReadableStream<ParsedTarEntry>, part: string, to: string): Promise<number> {
  let count = 0;
  for await (const entry of entries) {
    requireHarmless(entry);
    const name = nameBelow(entry.header.name, part);
    const isWanted = entry.header.type === 'file' && name !== undefined;
    if (isWanted) await writeEntry(entry, join(to, ...name.split('/')));
    else await entry.body.pipeTo(new WritableStream());
    count += Number(isWanted);
  }
  return count;
}

/** The name below a folder of the archive, or `undefined` if it is elsewhere. */
function nameBelow(name: string, part: string): string | undefined {
  const clean = name.replace(/^\.\//, '');
  return clean.startsWith(`${part}/`) ? clean.slice(part.length + 1) : undefined;
}

async function writeEntry({ body }: ParsedTarEntry, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await using file = await open(path, 'wx', EXECUTABLE_MODE);
  for await (const piece of body) await file.appendFile(piece);
  await file.sync();
}

function explained(cause: unknown, { archive, to }: Pick<UnpackedTree, 'archive' | 'to'>): unknown {
  if (cause instanceof OperatorError) return cause;
  if (systemCodeOf(cause).startsWith('Z_'))
    return releaseInvalid(`unpack "${archive}": it is not a gzipped tar archive`, undefined, cause);
  return fileError(cause, `unpack "${archive}" to "${to}"`);
}

const PROGRAM_MODE = 0o700;

/**
 * Puts the program of this name, wherever it is in a gzipped tar archive of this machine, into a new file. Where the
 * archive has its checksum file beside it, it must be the promised one.
 */
export async function unpackProgram(archive: string, name: string, to: string, signal: AbortSignal): Promise<void> {
  await requirePromised(archive, signal);
  try {
    await using file = await open(to, 'wx', PROGRAM_MODE);
    const sink = { begin: async () => {}, write: async (piece: Uint8Array) => file.appendFile(piece) };
    await pipeline(
      createReadStream(archive),
      createGunzip(),
      (tar: AsyncIterable<Buffer>) => readMember(tar, { lastPart: name }, sink),
      { signal },
    );
  } catch (cause) {
    throw explained(cause, { archive, to });
  }
}

async function requirePromised(archive: string, signal: AbortSignal): Promise<void> {
  const path = join(dirname(archive), checksumName(basename(archive)));
  const text = await readTextIfAny(path);
  if (text === undefined) return;
  const hash = createHash('sha512');
  await pipeline(createReadStream(archive), hash, { signal });
  const [promised, actual] = [parseChecksum(text, path), hash.digest('hex')];
  if (actual !== promised) throw digestMismatch(archive, { algorithm: 'sha512', hex: promised }, actual);
}
