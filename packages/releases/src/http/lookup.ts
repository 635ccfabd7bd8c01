import { releaseInvalid } from '../release-errors.ts';
import { publicAddress } from './address.ts';
import { openUrl, type UrlAnswer, type UrlRequest, isAbsent, statusError } from './open-url.ts';
import { LOOKUP_POLICY, withRetries, unlessStalled } from './retry.ts';

/** Manifests, signatures and checksums are small; a web page that is not is none of them. */
const MAX_BYTES = 1024 * 1024;

/** A small file, as it came. */
export interface SmallFile {
  readonly bytes: Buffer;
  /** Whether every connection on the way was HTTPS. */
  readonly secure: boolean;
}

/** Fetches a small file; `undefined` if there is none. */
export async function lookUp(request: UrlRequest, signal: AbortSignal): Promise<SmallFile | undefined> {
  return asked(request, signal, async ({ status, body, secure }, alive) => {
    if (isAbsent(status)) return undefined;
    if (status !== 200) throw statusError(request.url, status);
    return { bytes: await readSmall(request.url, body, alive), secure };
  });
}

/** How large a file is; `undefined` if there is none. Asks for its first byte, because not every server knows HEAD. */
export async function lookUpSize(request: UrlRequest, signal: AbortSignal): Promise<number | undefined> {
  const headers = { ...request.headers, range: 'bytes=0-0' };
  return asked({ ...request, headers }, signal, async ({ status, body }) => {
    if (isAbsent(status)) return undefined;
    if (status !== 200 && status !== 206) throw statusError(request.url, status);
    const { 'content-range': range, 'content-length': length } = body.headers;
    const size = Number(status === 206 ? range?.split('/')[1] : length);
    if (Number.isSafeInteger(size) && size > 0) return size;
    throw releaseInvalid(`fetch "${publicAddress(request.url)}": the server does not report its size`);
  });
}

async function asked<Result>(
  request: UrlRequest,
  signal: AbortSignal,
  read: (answer: UrlAnswer, alive: () => void) => Promise<Result>,
): Promise<Result> {
  const transfer = async (guarded: AbortSignal, alive: () => void): Promise<Result> => {
    const answer = await openUrl(request, guarded);
    return read(answer, alive).finally(() => answer.body.destroy());
  };
  const attempt = async (): Promise<Result> => unlessStalled(LOOKUP_POLICY.stallMs, transfer, signal);
  const action = `fetch "${publicAddress(request.url)}"`;
  return withRetries({ action, attempt, progress: () => 0, say: () => {} }, LOOKUP_POLICY, signal);
}

async function readSmall(url: URL, body: AsyncIterable<Buffer>, alive: () => void): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body) {
    alive();
    length += piece.length;
    if (length > MAX_BYTES) throw releaseInvalid(`read "${publicAddress(url)}": it is far too large`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
