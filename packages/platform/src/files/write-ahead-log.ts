import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { type Checksum, correctBit, isEqual, summed } from './log-checksum.ts';

/** A write-ahead log of SQLite, and what its header says or, if that is damaged, has to say. */
interface Log {
  readonly bytes: Buffer;
  readonly header: Buffer;
  readonly pageBytes: number;
  readonly frames: number;
}

const HEADER_BYTES = 32;
const HEADER_SALT = 16;
const HEADER_SUM = 24;
const FRAME_HEADER_BYTES = 24;
const COMMIT_IN_FRAME = 4;
const SALT_IN_FRAME = 8;
const SUM_IN_FRAME = 16;
/** The last bit is set where checksums are about words in big-endian order. */
const MAGIC = 0x377f0682;
const VERSION = 3_007_000;

/**
 * Repairs the write-ahead log of a database of SQLite, which has to be open, so that no other process changes the log.
 * SQLite ignores the log from the first wrong checksum on, so one changed bit would undo every later commit. Here that
 * bit is changed back. If it is not known which one, the checks of pages and rows judge what is on the damaged page, and
 * nothing else is lost. Returns whether the log was damaged: then it is kept at `damagedLog`, and the database is closed.
 */
export function repairLog(database: { close(): void }, file: string, damagedLog: string): boolean {
  const repaired = repairedLog(file);
  if (repaired === undefined) return false;
  const [log, draft] = [`${file}-wal`, `${file}-wal.repaired`];
  copyFileSync(log, damagedLog);
  writeFileSync(draft, repaired, { mode: 0o600, flush: true });
  // This deletes the log, unless another process has the database open.
  database.close();
  if (existsSync(log)) rmSync(draft);
  else renameSync(draft, log);
  return true;
}

/** The log with the checksums of damaged parts corrected; `undefined` if it is sound. */
function repairedLog(file: string): Buffer | undefined {
  const log = readLog(file);
  if (log === undefined) return undefined;
  const repaired = relinked(log, committedFrames(log));
  return repaired.equals(log.bytes.subarray(0, repaired.length)) ? undefined : repaired;
}

function readLog(database: string): Log | undefined {
  const path = `${database}-wal`;
  const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  const pageBytes = pageBytesOf(database);
  const frames = Math.floor((bytes.length - HEADER_BYTES) / (FRAME_HEADER_BYTES + pageBytes));
  return frames > 0 ? { bytes, header: headerOf(bytes, pageBytes), pageBytes, frames } : undefined;
}

/** From the file of the database: in the log it may be damaged. */
function pageBytesOf(database: string): number {
  const field = Buffer.alloc(2);
  const handle = openSync(database, 'r');
  readSync(handle, field, 0, 2, 16);
  closeSync(handle);
  const size = field.readUInt16BE(0);
  return size === 1 ? 65_536 : size;
}

/** A damaged header is made again: its salts are also in the first frame. */
function headerOf(bytes: Buffer, pageBytes: number): Buffer {
  const header = Buffer.from(bytes.subarray(0, HEADER_BYTES));
  const sum = (): Checksum => summed(wordsIn(header.subarray(0, HEADER_SUM), isBigEndian(header)), [0, 0]);
  if (isEqual(sum(), readSum(header, HEADER_SUM))) return header;
  header.writeUInt32BE(MAGIC, 0);
  header.writeUInt32BE(VERSION, 4);
  header.writeUInt32BE(pageBytes, 8);
  bytes.copy(header, HEADER_SALT, HEADER_BYTES + SALT_IN_FRAME, HEADER_BYTES + SUM_IN_FRAME);
  writeSum(header, HEADER_SUM, sum());
  return header;
}

/** A commit is flushed before the next frame is written: one with a frame behind it, or with sound frames, is whole. */
function committedFrames(log: Log): number {
  const current = Array.from({ length: log.frames }, (_, frame) => frame).filter((frame) => isCurrent(log, frame));
  const isCommit = (frame: number): boolean => log.bytes.readUInt32BE(offsetOf(log, frame) + COMMIT_IN_FRAME) !== 0;
  const isSound = (frame: number): boolean =>
    isCurrent(log, frame) && isEqual(summed(wordsOf(log, frame), sumBefore(log, frame)), sumOf(log, frame));
  let end = (current.slice(0, -1).findLast(isCommit) ?? -1) + 1;
  for (let frame = end; isSound(frame); frame += 1) if (isCommit(frame)) end = frame + 1;
  return end;
}

function offsetOf({ pageBytes }: Pick<Log, 'pageBytes'>, frame: number): number {
  return HEADER_BYTES + frame * (FRAME_HEADER_BYTES + pageBytes);
}

/** Frames of earlier rounds through the file have other salts than the header. */
function isCurrent(log: Log, frame: number): boolean {
  const at = offsetOf(log, frame);
  const salts = log.bytes.subarray(at + SALT_IN_FRAME, at + SUM_IN_FRAME);
  return frame < log.frames && salts.equals(log.header.subarray(HEADER_SALT, HEADER_SUM));
}

/** The first frames, each with the checksum that follows from the one before it. */
function relinked(log: Log, frames: number): Buffer {
  const { header, pageBytes } = log;
  const result = Buffer.from(log.bytes.subarray(0, offsetOf(log, frames)));
  header.copy(result);
  let sum = readSum(header, HEADER_SUM);
  for (let frame = 0; frame < frames; frame += 1) {
    const at = offsetOf(log, frame);
    const words = wordsOf(log, frame);
    const found = summed(words, sumBefore(log, frame));
    if (!isEqual(found, sumOf(log, frame))) correctBit(words, found, sumOf(log, frame));
    sum = summed(words, sum);
    const content = bytesOf(words, log);
    content.copy(result, at, 0, SALT_IN_FRAME);
    content.copy(result, at + FRAME_HEADER_BYTES, SALT_IN_FRAME, SALT_IN_FRAME + pageBytes);
    header.copy(result, at + SALT_IN_FRAME, HEADER_SALT, HEADER_SUM);
    writeSum(result, at + SUM_IN_FRAME, sum);
  }
  return result;
}

/** What the checksum of a frame is about: the number of its page, the size of a commit, and the page. */
function wordsOf(log: Log, frame: number): Uint32Array {
  const at = offsetOf(log, frame);
  const page = at + FRAME_HEADER_BYTES;
  const parts = [log.bytes.subarray(at, at + SALT_IN_FRAME), log.bytes.subarray(page, page + log.pageBytes)];
  return wordsIn(Buffer.concat(parts), isBigEndian(log.header));
}

function wordsIn(bytes: Buffer, isBig: boolean): Uint32Array {
  const words = new Uint32Array(bytes.length / 4);
  for (let word = 0; word < words.length; word += 1)
    words[word] = isBig ? bytes.readUInt32BE(4 * word) : bytes.readUInt32LE(4 * word);
  return words;
}

function bytesOf(words: Uint32Array, { header }: Log): Buffer {
  const bytes = Buffer.alloc(4 * words.length);
  const isBig = isBigEndian(header);
  for (const [word, value] of words.entries())
    if (isBig) bytes.writeUInt32BE(value, 4 * word);
    else bytes.writeUInt32LE(value, 4 * word);
  return bytes;
}

function sumOf(log: Log, frame: number): Checksum {
  return readSum(log.bytes, offsetOf(log, frame) + SUM_IN_FRAME);
}

function sumBefore(log: Log, frame: number): Checksum {
  return frame === 0 ? readSum(log.header, HEADER_SUM) : sumOf(log, frame - 1);
}

function readSum(bytes: Buffer, at: number): Checksum {
  return [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)];
}

function writeSum(bytes: Buffer, at: number, [first, second]: Checksum): void {
  bytes.writeUInt32BE(first, at);
  bytes.writeUInt32BE(second, at + 4);
}

function isBigEndian(header: Buffer): boolean {
  return (header.readUInt32BE(0) & 1) === 1;
}
