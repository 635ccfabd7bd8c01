import { randomBytes } from 'node:crypto';
import { OperatorError } from '@fenestra/kernel';
import { type RemoteFile, type RemoteTarget, throwIfAborted } from '@fenestra/platform';
import type { SFTPWrapper } from 'ssh2';
import { placeName } from '../host-keys/judge-host-key.ts';
import { deliveryFailed } from '../remote-errors.ts';

/** Every server takes this much at once. */
const BLOCK_BYTES = 32 * 1024;
/** What can be under way covers any window, so that the speed does not depend on the distance. */
const BLOCKS_IN_FLIGHT = 64;
const EXCLUSIVE = 'wx';

/** Writes a file under another name, then puts it in place: no one ever sees half of it. */
export async function uploadFile(
  sftp: SFTPWrapper,
  target: RemoteTarget,
  file: RemoteFile,
  signal: AbortSignal,
): Promise<void> {
  const part = `${file.path}.${randomBytes(6).toString('hex')}.part`;
  try {
    await writePart(sftp, part, file, signal);
    await putInPlace(sftp, part, file.path);
  } catch (error) {
    await done((end) => sftp.unlink(part, end)).catch(() => undefined);
    throwIfAborted(`sending "${file.path}" to ${placeName(target)}`, signal);
    throw error instanceof OperatorError ? error : deliveryFailed(target, file.path, error);
  }
}

async function writePart(sftp: SFTPWrapper, part: string, file: RemoteFile, signal: AbortSignal): Promise<void> {
  const handle = await open(sftp, part, file.mode);
  try {
    const size = await writeBlocks(sftp, handle, file.content(), signal);
    if (size !== file.size) throw new Error(`its content has ${size} bytes instead of ${file.size}`);
    // What the account's own mask removed at creation. Systems without such rights ignore it.
    await done((end) => sftp.fchmod(handle, file.mode, end)).catch(() => undefined);
  } finally {
    await done((end) => sftp.close(handle, end));
  }
}

async function open(sftp: SFTPWrapper, path: string, mode: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    sftp.open(path, EXCLUSIVE, { mode }, (error, handle) => {
      if (error === undefined) resolve(handle);
      else reject(error);
    });
  });
}

async function writeBlocks(
  sftp: SFTPWrapper,
  handle: Buffer,
  content: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<number> {
  const flying = new Set<Promise<void>>();
  let failure: unknown;
  let position = 0;
  for await (const block of blocksOf(content)) {
    throwIfAborted('sending', signal);
    const sent = done((end) => sftp.write(handle, block, 0, block.length, position, end));
    position += block.length;
    const landed = sent.catch((error: unknown) => void (failure ??= error)).then(() => void flying.delete(landed));
    flying.add(landed);
    if (flying.size >= BLOCKS_IN_FLIGHT) await Promise.race(flying);
    if (failure !== undefined) break;
  }
  await Promise.all(flying);
  if (failure !== undefined) throw failure;
  return position;
}

async function* blocksOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let start = 0; start < bytes.length; start += BLOCK_BYTES) yield bytes.subarray(start, start + BLOCK_BYTES);
  }
}

/** At once where the server can; else the old file has to go first, as the protocol's own rename replaces nothing. */
async function putInPlace(sftp: SFTPWrapper, from: string, to: string): Promise<void> {
  try {
    await done((end) => sftp.ext_openssh_rename(from, to, end));
  } catch {
    await done((end) => sftp.unlink(to, end)).catch(() => undefined);
    await done((end) => sftp.rename(from, to, end));
  }
}

type Ending = (error?: Error | null) => void;

async function done(start: (end: Ending) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}
