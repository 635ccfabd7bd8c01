import { setTimeout as delay } from 'node:timers/promises';
import { type LineJoiner, lineJoiner, type LogLine, logLineBytes } from './log-lines.ts';
import {
  FIRST_PLACE,
  type FollowingFile,
  type LogOfInstance,
  type LogPlace,
  type LogSequence,
  logSequence,
} from './log-sequence.ts';

/** Which lines of a log to read. */
export interface LogWishes {
  /** At most so many lines from the end. */
  readonly tailLines?: number;
  /** Only lines from this time on, in milliseconds since 1970. */
  readonly since?: number;
  /** With it, the log is read until its instance has ended. */
  readonly isRunning?: IsRunning;
}

type IsRunning = () => Promise<boolean>;

const POLL_MS = 200;

/**
 * Reads the log of an instance over all its files, the oldest line first, also while they are rotated. A reader that
 * lags behind by all files that are kept misses what was removed. When the signal fires, it ends.
 */
export async function* readLog(
  instance: LogOfInstance,
  { tailLines, since = -Infinity, isRunning = async () => false }: LogWishes,
  signal: AbortSignal,
): AsyncGenerator<LogLine> {
  const sequence = logSequence(instance);
  const start = tailLines === undefined ? { place: FIRST_PLACE, skip: 0 } : await startOfTail(sequence, tailLines);
  let { skip } = start;
  for await (const line of linesFrom(sequence, start.place, isRunning, signal)) {
    if (skip > 0) skip -= line.ends ? 1 : 0;
    else if (since === -Infinity || Date.parse(line.time) >= since) yield line;
  }
}

/** Where the last lines begin: a place, and how many lines behind it are too old. */
async function startOfTail(sequence: LogSequence, count: number): Promise<{ place: LogPlace; skip: number }> {
  let missing = count;
  for (const place of await sequence.placesFromEnd()) {
    const lines = await countLines(sequence, place);
    if (lines >= missing) return { place, skip: lines - missing };
    missing -= lines;
  }
  return { place: FIRST_PLACE, skip: 0 };
}

async function countLines(sequence: LogSequence, place: LogPlace): Promise<number> {
  const next = await sequence.openAfter(place);
  let count = 0;
  try {
    for await (const { isPartial } of next?.file.entries() ?? []) count += isPartial ? 0 : 1;
  } finally {
    await next?.file.close();
  }
  return count;
}

async function* linesFrom(
  sequence: LogSequence,
  start: LogPlace,
  isRunning: IsRunning,
  signal: AbortSignal,
): AsyncGenerator<LogLine> {
  const joiner = lineJoiner();
  let place: LogPlace | undefined = start;
  while (place !== undefined && !signal.aborted) {
    const next = await sequence.openAfter(place);
    if (next !== undefined) place = yield* linesOfFile(next, { sequence, place, joiner, isRunning }, signal);
    else if (await isRunning()) await pause(signal);
    else break;
  }
  yield* joiner.rest();
}

interface Reading {
  readonly sequence: LogSequence;
  readonly place: LogPlace;
  readonly joiner: LineJoiner;
  readonly isRunning: IsRunning;
}

/** Reads one file until the next one follows it, whose place is returned, or nothing will. */
async function* linesOfFile(
  { file, isCurrent }: FollowingFile,
  { sequence, place, joiner, isRunning }: Reading,
  signal: AbortSignal,
): AsyncGenerator<LogLine, LogPlace | undefined> {
  try {
    for (;;) {
      // In this order: what an instance wrote before it ended, or before the next file, is in this one.
      const goesOn = await isRunning();
      const behind = await sequence.placeBehind(place);
      // The runtime opens its new file before it closes the one before.
      if (behind !== undefined && isCurrent && goesOn) await pause(signal);
      for await (const entry of file.entries()) {
        const line = joiner.add(entry);
        if (line !== undefined) yield line;
      }
      if (behind !== undefined || !goesOn || signal.aborted) return behind;
      await pause(signal);
    }
  } finally {
    await file.close();
  }
}

async function pause(signal: AbortSignal): Promise<void> {
  await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
}

/** The bytes of lines as they are shown, up to a limit. */
export async function* logBytes(
  lines: AsyncIterable<LogLine>,
  { timestamps = false, limitBytes = Infinity }: { readonly timestamps?: boolean; readonly limitBytes?: number },
): AsyncGenerator<Buffer> {
  let left = limitBytes;
  for await (const line of lines) {
    const bytes = logLineBytes(line, timestamps);
    yield bytes.subarray(0, Math.min(left, bytes.length));
    left -= bytes.length;
    if (left <= 0) return;
  }
}
