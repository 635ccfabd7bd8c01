import type { LogEntry, LogStream } from './log-entry.ts';

/** A line that a container wrote. Only a very long one is in several pieces. */
export interface LogLine {
  readonly time: string;
  readonly stream: LogStream;
  readonly text: Buffer;
  /** Whether it is the beginning of its line, and the end. */
  readonly starts: boolean;
  readonly ends: boolean;
}

/** Joins entries to lines. */
export interface LineJoiner {
  /** Returns the line that the entry ends. */
  add(entry: LogEntry): LogLine | undefined;
  /** What is left of lines that did not end. */
  rest(): readonly LogLine[];
}

/** So much of a line is kept until its end comes. */
const MOST_KEPT_BYTES = 1024 * 1024;

interface Unfinished {
  readonly time: string;
  readonly parts: readonly Buffer[];
  readonly bytes: number;
  readonly starts: boolean;
}

/** Makes a joiner. The parts of the two streams of a container may come in turn. */
export function lineJoiner(): LineJoiner {
  const unfinished = new Map<LogStream, Unfinished>();
  return {
    add({ stream, time, text, isPartial }) {
      const begun = unfinished.get(stream) ?? { time, parts: [], bytes: 0, starts: true };
      const line = { ...begun, parts: [...begun.parts, text], bytes: begun.bytes + text.length };
      if (isPartial && line.bytes < MOST_KEPT_BYTES) {
        unfinished.set(stream, line);
        return undefined;
      }
      if (isPartial) unfinished.set(stream, { time, parts: [], bytes: 0, starts: false });
      else unfinished.delete(stream);
      return lineOf(stream, line, !isPartial);
    },
    rest: () =>
      [...unfinished].filter(([, { bytes }]) => bytes > 0).map(([stream, line]) => lineOf(stream, line, false)),
  };
}

function lineOf(stream: LogStream, { time, parts, starts }: Unfinished, ends: boolean): LogLine {
  const [only] = parts;
  return { time, stream, text: parts.length === 1 && only ? only : Buffer.concat(parts), starts, ends };
}

const END_OF_LINE = Buffer.from('\n');

/** The bytes of a line as they are shown, with its time in front if that is asked for. */
export function logLineBytes({ time, text, starts, ends }: LogLine, timestamps: boolean): Buffer {
  return Buffer.concat([
    ...(timestamps && starts ? [Buffer.from(`${time} `)] : []),
    text,
    ...(ends ? [END_OF_LINE] : []),
  ]);
}
