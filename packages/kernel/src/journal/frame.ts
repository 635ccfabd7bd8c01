import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { fileError, systemCodeOf } from '../errors.ts';

/** `llllllll cccccccc ` : length of the text in bytes and its CRC-32, both in hexadecimal. */
const HEADER = /^([0-9a-f]{8}) ([0-9a-f]{8}) $/;
/** Wherever one begins, also where the end of the line before it was changed. */
const FRAME_START = /(?=[0-9a-f]{8} [0-9a-f]{8} )/g;
const HEADER_BYTES = 18;
const NEWLINE = 0x0a;

/** What a file of frames holds. `validBytes` is where the last whole frame ends. */
type Frames =
  | { readonly state: 'whole' | 'torn'; readonly texts: readonly string[]; readonly validBytes: number }
  | { readonly state: 'corrupt'; readonly texts: readonly string[]; readonly validBytes: number };

/** Wraps one line of text so that a reader can tell a whole one from a torn or a changed one. */
export function encodeFrame(text: string): Buffer {
  const body = Buffer.from(text, 'utf8');
  return Buffer.concat([Buffer.from(`${hex(body.length)} ${hex(crc32(body))} `), body, Buffer.from([NEWLINE])]);
}

/**
 * Reads frames until the end or the first bad one. A bad tail is *torn* if a power cut can have left it:
 * the beginning of a frame, or sectors never written, which read as zeros. Anything else is *corrupt*.
 */
export function decodeFrames(bytes: Buffer): Frames {
  const texts: string[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const frame = readFrame(bytes, offset);
    if (frame === undefined) return { state: judgeTail(bytes.subarray(offset)), texts, validBytes: offset };
    texts.push(frame.text);
    offset = frame.end;
  }
  return { state: 'whole', texts, validBytes: offset };
}

function readFrame(bytes: Buffer, offset: number): { text: string; end: number } | undefined {
  const header = HEADER.exec(bytes.toString('latin1', offset, offset + HEADER_BYTES));
  if (header === null) return undefined;
  const start = offset + HEADER_BYTES;
  const end = start + Number.parseInt(header[1] ?? '', 16);
  const body = bytes.subarray(start, end);
  if (bytes[end] !== NEWLINE || hex(crc32(body)) !== header[2]) return undefined;
  return { text: body.toString('utf8'), end: end + 1 };
}

function judgeTail(tail: Buffer): 'torn' | 'corrupt' {
  if (holdsWholeFrame(tail)) return 'corrupt';
  if (tail.includes(0) && endsInOneRecord(tail)) return 'torn';
  return isBeginningOfFrame(tail) ? 'torn' : 'corrupt';
}

/** Records reach the disk one by one, so only the last can have sectors that were never written. */
function endsInOneRecord(tail: Buffer): boolean {
  const newline = tail.indexOf(NEWLINE);
  return newline === -1 || tail.subarray(newline + 1).every((byte) => byte === 0);
}

/** A whole frame after a bad one means that something was changed in the middle, not cut off at the end. */
function holdsWholeFrame(tail: Buffer): boolean {
  const starts = [...tail.subarray(1).toString('latin1').matchAll(FRAME_START)];
  return starts.some(({ index }) => readFrame(tail, index + 1) !== undefined);
}

/** True for what a cut-off write leaves: fewer bytes than the header promises, and no end of line yet. */
function isBeginningOfFrame(tail: Buffer): boolean {
  if (tail.includes(NEWLINE)) return false;
  if (tail.length < HEADER_BYTES) return /^[0-9a-f]{0,8}( ([0-9a-f]{0,8}( )?)?)?$/.test(tail.toString('latin1'));
  const header = HEADER.exec(tail.toString('latin1', 0, HEADER_BYTES));
  return header !== null && tail.length <= HEADER_BYTES + Number.parseInt(header[1] ?? '', 16);
}

function hex(value: number): string {
  return value.toString(16).padStart(8, '0');
}

/** A file of frames, open for appending. One append at a time. */
interface FrameFile {
  readonly path: string;
  /** Returns when all the texts are on disk, a frame each. A failed append leaves the file as it was. */
  append(texts: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Opens a file of frames, creating it if need be, for its owner alone. What is behind `validBytes` is overwritten. */
export async function openFrameFile(path: string, validBytes: number): Promise<FrameFile> {
  const handle = await openPrivate(path);
  let length = validBytes;
  await handle.truncate(length);
  return {
    path,
    async append(texts) {
      const frames = Buffer.concat(texts.map(encodeFrame));
      await writeDurably(handle, frames, length).catch(async (error: unknown) => {
        await handle.truncate(length);
        throw error;
      });
      length += frames.length;
    },
    close: async () => handle.close(),
  };
}

async function openPrivate(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r+', 0o600).catch(async (error: unknown) => {
      if (systemCodeOf(error) !== 'ENOENT') throw error;
      return open(path, 'wx+', 0o600);
    });
  } catch (cause) {
    throw fileError(cause, `open the journal "${path}"`);
  }
}

async function writeDurably(handle: FileHandle, frames: Buffer, position: number): Promise<void> {
  let written = 0;
  while (written < frames.length) {
    const { bytesWritten } = await handle.write(frames, written, frames.length - written, position + written);
    written += bytesWritten;
  }
  await handle.datasync();
}
