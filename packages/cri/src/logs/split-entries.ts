import { type LogEntry, parseLogEntry } from './log-entry.ts';
import { lineJoiner, logLineBytes } from './log-lines.ts';

/** No runtime writes longer lines: such a file is damaged. */
const LONGEST_LINE_BYTES = 1024 * 1024;
const END_OF_LINE = 0x0a;

/** Splits the bytes of a file into entries. A line that has not ended waits for the next bytes; what is no entry is skipped. */
export function entrySplitter(): (chunk: Buffer) => readonly LogEntry[] {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const entries: LogEntry[] = [];
    let start = 0;
    for (let end = bytes.indexOf(END_OF_LINE); end !== -1; end = bytes.indexOf(END_OF_LINE, start)) {
      const entry = parseLogEntry(bytes.subarray(start, end));
      if (entry !== undefined) entries.push(entry);
      start = end + 1;
    }
    rest = bytes.length - start > LONGEST_LINE_BYTES ? Buffer.alloc(0) : Buffer.from(bytes.subarray(start));
    return entries;
  };
}

/** What a container wrote, by a part of its log. */
export function logTextOf(bytes: Buffer): Buffer {
  const joiner = lineJoiner();
  const ended = entrySplitter()(bytes).flatMap((entry) => joiner.add(entry) ?? []);
  return Buffer.concat([...ended, ...joiner.rest()].map((line) => logLineBytes(line, false)));
}
