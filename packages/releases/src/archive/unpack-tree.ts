import { createReadStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { fileError, OperatorError, systemCodeOf } from '@fenestra/kernel';
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';
import { feed, limited, requireHarmless } from './read-member.ts';
import { releaseInvalid } from '../release-errors.ts';

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
        count = await takeAll(tar, part, to);
      },
      { signal },
    );
  } catch (cause) {
    throw explained(cause, tree);
  }
  if (count === 0) throw releaseInvalid(`unpack "${archive}": it contains no files in "${part}/"`);
}

async function takeAll(tar: AsyncIterable<Uint8Array>, part: string, to: string): Promise<number> {
  const { readable, writable } = createTarDecoder({ strict: true });
  const [taken, fed] = await Promise.allSettled([writeAll(readable, part, to), feed(limited(tar), writable)]);
  if (taken.status === 'rejected') throw taken.reason;
  if (fed.status === 'rejected') throw fed.reason;
  return taken.value;
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

function explained(cause: unknown, { archive, to }: UnpackedTree): unknown {
  if (cause instanceof OperatorError) return cause;
  if (systemCodeOf(cause).startsWith('Z_'))
    return releaseInvalid(`unpack "${archive}": it is not a gzipped tar archive`, undefined, cause);
  return fileError(cause, `unpack "${archive}" to "${to}"`);
}
