import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { checksumName, parseChecksum } from '../manifest/upstream-release.ts';
import { fileError, OperatorError, systemCodeOf } from '@fenestra/kernel';
import { digestMismatch, releaseInvalid } from '../release-errors.ts';
import { readMember } from './read-member.ts';

const EXECUTABLE_MODE = 0o700;

/**
 * Puts the program of this name, wherever it is in a gzipped tar archive of this machine, into a new file. Where the
 * archive has its checksum file beside it, it must be the promised one.
 */
export async function unpackProgram(archive: string, name: string, to: string, signal: AbortSignal): Promise<void> {
  await requirePromised(archive, signal);
  try {
    await using file = await open(to, 'wx', EXECUTABLE_MODE);
    const sink = { begin: async () => {}, write: async (piece: Uint8Array) => file.appendFile(piece) };
    await pipeline(
      createReadStream(archive),
      createGunzip(),
      (tar: AsyncIterable<Buffer>) => readMember(tar, { lastPart: name }, sink),
      { signal },
    );
  } catch (cause) {
    throw explained(cause, archive, to);
  }
}

async function requirePromised(archive: string, signal: AbortSignal): Promise<void> {
  const path = join(dirname(archive), checksumName(basename(archive)));
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    if (systemCodeOf(cause) === 'ENOENT') return undefined;
    throw fileError(cause, `read "${path}"`);
  });
  if (text === undefined) return;
  const hash = createHash('sha512');
  await pipeline(createReadStream(archive), hash, { signal });
  const [promised, actual] = [parseChecksum(text, path), hash.digest('hex')];
  if (actual !== promised) throw digestMismatch(archive, { algorithm: 'sha512', hex: promised }, actual);
}

function explained(cause: unknown, archive: string, to: string): unknown {
  if (cause instanceof OperatorError) return cause;
  if (systemCodeOf(cause).startsWith('Z_'))
    return releaseInvalid(`unpack "${archive}": it is not a gzipped tar archive`, undefined, cause);
  return fileError(cause, `unpack "${archive}" to "${to}"`);
}
