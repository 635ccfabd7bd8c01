import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { fileError, OperatorError } from '@fenestra/kernel';
import type { FileStore } from '@fenestra/platform';
import type { Digest } from '../agent-source.ts';
import { publicAddress } from '../http/address.ts';
import { openUrl, type UrlAnswer, type UrlRequest, statusError } from '../http/open-url.ts';
import { type RetryPolicy, withRetries, unlessStalled } from '../http/retry.ts';
import { digestMismatch, releaseInvalid } from '../release-errors.ts';
import {
  beginPart,
  forgetPart,
  type KeptPart,
  keptPart,
  partFiles,
  isTheRest,
  markOf,
  rangeHeaders,
} from './kept-part.ts';

const PRIVATE_MODE = 0o600;

/** What to fetch, and what it must turn out to be. */
export interface Download {
  readonly request: UrlRequest;
  readonly to: string;
  readonly size: number;
  readonly digest: Digest;
}

/** What a download works with. */
export interface DownloadContext {
  readonly files: FileStore;
  readonly progress: (done: number, total: number) => void;
  readonly say: (text: string) => void;
}

/**
 * Fetches a file to `to`, hashing on the way; it appears there only once it is whole and proved. A connection that
 * breaks is resumed again where it broke, and so is what an earlier run has left.
 */
export async function download(
  { request, to, size, digest }: Download,
  { files, progress, say }: DownloadContext,
  policy: RetryPolicy,
  signal: AbortSignal,
): Promise<void> {
  const paths = partFiles(to);
  const address = publicAddress(request.url);
  let received = 0;

  async function attempt(): Promise<void> {
    const kept = await keptPart(paths);
    if (kept !== undefined && kept.bytes >= size) return finish(await hashOfPart(), true);
    const transfer = async (guarded: AbortSignal, alive: () => void): Promise<void> => {
      const answer = await openUrl({ ...request, headers: rangeHeaders(kept) }, guarded);
      await receive(answer, kept, alive).finally(() => answer.body.destroy());
    };
    await unlessStalled(policy.stallMs, transfer, signal);
  }

  async function receive(answer: UrlAnswer, kept: KeptPart | undefined, alive: () => void): Promise<void> {
    const resumed = await goesOn(answer, kept);
    const hash = resumed ? await hashOfPart() : createHash(digest.algorithm);
    if (!resumed) await beginPart(paths, markOf(answer.body.headers), files);
    received = resumed ? (kept?.bytes ?? 0) : 0;
    if (resumed) say(`resuming at ${received} of ${size} bytes`);
    await append(answer.body, hash, alive);
    if (received < size) throw new Error(`connection lost at ${received} of ${size} bytes`);
    await finish(hash, resumed);
  }

  /** Whether what comes now belongs behind what is there. */
  async function goesOn({ status, body }: UrlAnswer, kept: KeptPart | undefined): Promise<boolean> {
    if (status === 206 && kept !== undefined && isTheRest(body.headers, kept, size)) return true;
    if (status === 200) return false;
    if (status !== 206 && status !== 416) throw statusError(request.url, status);
    await forgetPart(paths);
    throw new Error('the server sent another range than requested');
  }

  async function append(body: AsyncIterable<Buffer>, hash: Hash, alive: () => void): Promise<void> {
    const part = await open(paths.part, 'a', PRIVATE_MODE).catch(refuseToWrite);
    try {
      for await (const piece of body) {
        alive();
        received += piece.length;
        if (received > size) throw await tooLarge();
        await write(part, piece);
        hash.update(piece);
        progress(received, size);
      }
      await part.sync().catch(refuseToWrite);
    } finally {
      await part.close();
    }
  }

  async function write(part: FileHandle, piece: Buffer): Promise<void> {
    await part.appendFile(piece).catch(async (cause: unknown) => {
      const error = fileError(cause, `write "${paths.part}"`);
      // Anyone who goes back from here needs room for it.
      if (error.code === 'DISK_FULL') await forgetPart(paths);
      throw error;
    });
  }

  async function tooLarge(): Promise<OperatorError> {
    await forgetPart(paths);
    return releaseInvalid(`use "${address}": it is larger than the ${size} bytes it should have`);
  }

  /** What was resumed may have been spoilt by a power cut, so it gets a second chance from the beginning. */
  async function finish(hash: Hash, resumed: boolean): Promise<void> {
    const actual = hash.digest('hex');
    if (actual !== digest.hex) {
      await forgetPart(paths);
      throw resumed ? new Error('the partial download is damaged') : digestMismatch(address, digest, actual);
    }
    await files.move(paths.part, to);
    await forgetPart(paths);
  }

  async function hashOfPart(): Promise<Hash> {
    const hash = createHash(digest.algorithm);
    await pipeline(createReadStream(paths.part), hash, { end: false });
    return hash;
  }

  function refuseToWrite(cause: unknown): never {
    throw fileError(cause, `write "${paths.part}"`);
  }

  await withRetries({ action: `fetch "${address}"`, attempt, progress: () => received, say }, policy, signal);
}
