/** What a container writes to. */
export type LogStream = 'stdout' | 'stderr';

/** One line of a log file: a line that the container wrote, or a part of one. */
export interface LogEntry {
  /** As it is in the file: RFC 3339 with nanoseconds. */
  readonly time: string;
  readonly stream: LogStream;
  /** Whether the line goes on in the next entry of the same stream. */
  readonly isPartial: boolean;
  /** Bytes: containers write what they like. */
  readonly text: Buffer;
}

/** `<time> <stream> <tags> <text>`: https://github.com/kubernetes/design-proposals-archive/blob/main/node/kubelet-cri-logging.md */
const SPACE = 0x20;
const STREAMS: ReadonlySet<string> = new Set(['stdout', 'stderr']);

/** Reads a line of a log file, without its end of line; `undefined` for anything else, such as a line that was cut short. */
export function parseLogEntry(line: Buffer): LogEntry | undefined {
  const afterTime = line.indexOf(SPACE);
  const afterStream = line.indexOf(SPACE, afterTime + 1);
  if (afterTime <= 0 || afterStream === -1) return undefined;
  const afterTags = line.indexOf(SPACE, afterStream + 1);
  const end = afterTags === -1 ? line.length : afterTags;
  const stream = line.toString('latin1', afterTime + 1, afterStream);
  const [tag] = line.toString('latin1', afterStream + 1, end).split(':');
  if (!isStream(stream) || (tag !== 'F' && tag !== 'P')) return undefined;
  const time = line.toString('latin1', 0, afterTime);
  return { time, stream, isPartial: tag === 'P', text: line.subarray(end + 1) };
}

function isStream(text: string): text is LogStream {
  return STREAMS.has(text);
}
